package nodepool.zk;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.List;
import java.util.Optional;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509ExtendedTrustManager;
import nodepool.api.config.ZooKeeperConfig.Tls;

/**
 * Finds out why no TLS connection comes about, in words that name the file to look at: ZooKeeper's client only goes on
 * trying. Makes a connection of its own and blocks for seconds: not for a shared thread.
 */
final class TlsDiagnosis {

    private static final int PATIENCE_MILLIS = 2_000;

    /** ZooKeeper's PEM stores have no password. */
    private static final char[] NO_PASSWORD = new char[0];

    private final Tls tls;
    private final KeyStore own;
    private final KeyStore authorities;

    TlsDiagnosis(Tls tls, KeyStore own, KeyStore authorities) {
        this.tls = tls;
        this.own = own;
        this.authorities = authorities;
    }

    /**
     * What is wrong with the first server that is wrong; absent if TLS is not what is wrong.
     *
     * @param servers {@code host:port} each
     */
    Optional<String> of(List<String> servers) {
        return servers.stream().flatMap(server -> of(server).stream()).findFirst();
    }

    private Optional<String> of(String server) {
        URI address = URI.create("zookeeper://" + server);
        String host = address.getHost() == null ? "" : address.getHost();
        try (Socket plain = new Socket()) {
            plain.connect(new InetSocketAddress(host.replaceAll("[\\[\\]]", ""), address.getPort()), PATIENCE_MILLIS);
            plain.setSoTimeout(PATIENCE_MILLIS);
            return shakeHands(plain, server, host, address.getPort());
        } catch (IOException | GeneralSecurityException notAboutTls) {
            return Optional.empty();
        }
    }

    private Optional<String> shakeHands(Socket plain, String server, String host, int port)
            throws IOException, GeneralSecurityException {
        ServerTrust trust = new ServerTrust(standard(authorities));
        KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        keys.init(own, NO_PASSWORD);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(keys.getKeyManagers(), new TrustManager[] {trust}, null);
        try (SSLSocket socket = (SSLSocket) context.getSocketFactory().createSocket(plain, host, port, false)) {
            if (tls.verifyHostname()) {
                SSLParameters parameters = socket.getSSLParameters();
                parameters.setEndpointIdentificationAlgorithm("HTTPS");
                socket.setSSLParameters(parameters);
            }
            socket.startHandshake();
            // A server that does not like our certificate says so only now; one that does waits for us to speak.
            return socket.getInputStream().read() < 0 ? Optional.of(refused(server, "it hangs up")) : Optional.empty();
        } catch (SocketTimeoutException waiting) {
            return Optional.empty();
        } catch (IOException failure) {
            return Optional.of(explain(server, trust, failure));
        }
    }

    private String explain(String server, ServerTrust trust, IOException failure) {
        if (!trust.asked) {
            return "%s does not speak TLS: %s".formatted(server, failure.getMessage());
        }
        return trust.objection
                .map(why -> "the certificate of %s is not vouched for by %s (zookeeper-tls.ca): %s"
                        .formatted(server, tls.ca(), why))
                .orElseGet(() -> refused(server, String.valueOf(failure.getMessage())));
    }

    private String refused(String server, String why) {
        return "%s does not accept the certificate in %s (zookeeper-tls.cert): %s".formatted(server, tls.cert(), why);
    }

    private static X509ExtendedTrustManager standard(KeyStore authorities) throws GeneralSecurityException {
        TrustManagerFactory factory = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        factory.init(authorities);
        for (TrustManager manager : factory.getTrustManagers()) {
            if (manager instanceof X509ExtendedTrustManager standard) {
                return standard;
            }
        }
        throw new GeneralSecurityException("no trust manager for X.509");
    }
}
