package nodepool.zk;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.Optional;
import nodepool.api.config.ZooKeeperConfig.Tls;
import org.apache.zookeeper.client.ZKClientConfig;
import org.apache.zookeeper.util.PemReader;

/**
 * What is needed to talk TLS. ZooKeeper's client wants certificate and key in one file, the configuration names two: the
 * joined one, readable for its owner only, exists until this is closed.
 */
final class TlsClient implements AutoCloseable {

    private final Tls tls;
    private final Path joined;
    private final KeyStore own;
    private final KeyStore authorities;

    /** @throws IllegalArgumentException if one of the files cannot be used, naming it */
    TlsClient(Tls tls) {
        this.tls = tls;
        this.authorities = authorities(tls.ca());
        String certificate = read("cert", tls.cert());
        String key = PemKey.inPkcs8(read("key", tls.key()));
        this.joined = write(certificate + "\n" + key);
        try {
            checkCertificate(tls.cert());
            this.own = own(joined, tls.key());
        } catch (IllegalArgumentException unusable) {
            close();
            throw unusable;
        }
    }

    private static KeyStore authorities(Path ca) {
        read("ca", ca);
        try {
            KeyStore store = PemReader.loadTrustStore(ca.toFile());
            if (store.size() == 0) {
                throw unusable("ca", ca, "it holds no certificate");
            }
            return store;
        } catch (GeneralSecurityException | IOException e) {
            throw unusable("ca", ca, String.valueOf(e.getMessage()));
        }
    }

    private static void checkCertificate(Path cert) {
        try {
            if (PemReader.readCertificateChain(cert.toFile()).isEmpty()) {
                throw unusable("cert", cert, "it holds no certificate");
            }
        } catch (GeneralSecurityException | IOException e) {
            throw unusable("cert", cert, String.valueOf(e.getMessage()));
        }
    }

    private static KeyStore own(Path joined, Path key) {
        File both = joined.toFile();
        try {
            return PemReader.loadKeyStore(both, both, Optional.empty());
        } catch (GeneralSecurityException | IOException e) {
            throw unusable(
                    "key",
                    key,
                    "it holds no unencrypted private key in PKCS#8 form: openssl pkcs8 -topk8 -nocrypt makes one");
        }
    }

    private static String read(String option, Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw unusable(option, file, "it cannot be read: " + e);
        }
    }

    private static IllegalArgumentException unusable(String option, Path file, String why) {
        return new IllegalArgumentException("zookeeper-tls.%s: %s: %s".formatted(option, file, why));
    }

    private static Path write(String text) {
        try {
            Path file = Files.createTempFile(
                    "nodepool-zk",
                    ".pem",
                    PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
            file.toFile().deleteOnExit();
            return Files.writeString(file, text);
        } catch (IOException e) {
            throw new UncheckedIOException("certificate and key for ZooKeeper could not be joined in a file", e);
        }
    }

    /** The settings of a connection. */
    ZKClientConfig settings() {
        ZKClientConfig config = new ZKClientConfig();
        config.setProperty(ZKClientConfig.ZOOKEEPER_CLIENT_CNXN_SOCKET, "org.apache.zookeeper.ClientCnxnSocketNetty");
        config.setProperty(ZKClientConfig.SECURE_CLIENT, "true");
        config.setProperty("zookeeper.ssl.keyStore.location", joined.toString());
        config.setProperty("zookeeper.ssl.keyStore.type", "PEM");
        config.setProperty("zookeeper.ssl.trustStore.location", tls.ca().toString());
        config.setProperty("zookeeper.ssl.trustStore.type", "PEM");
        // By itself the client offers 1.3 only, and servers before 3.9 speak 1.2 only.
        config.setProperty("zookeeper.ssl.enabledProtocols", "TLSv1.3,TLSv1.2");
        config.setProperty("zookeeper.ssl.hostnameVerification", Boolean.toString(tls.verifyHostname()));
        return config;
    }

    /** Who could say why it does not work. */
    TlsDiagnosis diagnosis() {
        return new TlsDiagnosis(tls, own, authorities);
    }

    @Override
    public void close() {
        try {
            Files.deleteIfExists(joined);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
