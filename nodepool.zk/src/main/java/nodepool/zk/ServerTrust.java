package nodepool.zk;

import java.net.Socket;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.util.Optional;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.X509ExtendedTrustManager;

/** Decides on a server's certificate as the standard does, and remembers. Used by one thread. */
final class ServerTrust extends X509ExtendedTrustManager {

    private final X509ExtendedTrustManager standard;
    boolean asked;
    Optional<String> objection = Optional.empty();

    ServerTrust(X509ExtendedTrustManager standard) {
        this.standard = standard;
    }

    private interface Question {
        void ask() throws CertificateException;
    }

    private void check(Question question) throws CertificateException {
        asked = true;
        try {
            question.ask();
        } catch (CertificateException no) {
            Throwable root = no;
            while (root.getCause() != null) {
                root = root.getCause();
            }
            objection = Optional.of(String.valueOf(root.getMessage()));
            throw no;
        }
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type) throws CertificateException {
        check(() -> standard.checkServerTrusted(chain, type));
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type, Socket socket) throws CertificateException {
        check(() -> standard.checkServerTrusted(chain, type, socket));
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type, SSLEngine engine) throws CertificateException {
        check(() -> standard.checkServerTrusted(chain, type, engine));
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type) throws CertificateException {
        throw new CertificateException("not a server");
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type, Socket socket) throws CertificateException {
        throw new CertificateException("not a server");
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type, SSLEngine engine) throws CertificateException {
        throw new CertificateException("not a server");
    }

    @Override
    public X509Certificate[] getAcceptedIssuers() {
        return standard.getAcceptedIssuers();
    }
}
