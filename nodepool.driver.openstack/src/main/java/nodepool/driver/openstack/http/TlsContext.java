package nodepool.driver.openstack.http;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.InvalidKeySpecException;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509ExtendedTrustManager;
import nodepool.driver.openstack.clouds.CloudSettings.Tls;
import org.jspecify.annotations.Nullable;

/** Whom we trust and who we are, from PEM files. */
final class TlsContext {

    private static final char[] IN_MEMORY = new char[0];
    private static final Pattern KEY = Pattern.compile("-----BEGIN PRIVATE KEY-----([^-]+)-----END PRIVATE KEY-----");

    private static final Pattern CERTIFICATE =
            Pattern.compile("-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----");

    private TlsContext() {}

    /** Fails with a message that names the file that cannot be used. */
    static SSLContext of(Tls settings) throws CallFailure {
        try {
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(keys(settings), trust(settings), null);
            return context;
        } catch (GeneralSecurityException | IOException unusable) {
            throw new CallFailure(
                    CallFailure.Kind.UNTRUSTED, "TLS cannot be set up: " + unusable.getMessage(), unusable);
        }
    }

    private static TrustManager @Nullable [] trust(Tls settings) throws GeneralSecurityException, IOException {
        if (!settings.verify()) {
            return new TrustManager[] {new TrustsEverybody()};
        }
        if (settings.authorities().isEmpty()) {
            return null;
        }
        KeyStore store = emptyStore();
        int number = 0;
        for (Certificate one : certificates(settings.authorities().get())) {
            store.setCertificateEntry("ca" + number++, one);
        }
        TrustManagerFactory factory = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        factory.init(store);
        return factory.getTrustManagers();
    }

    private static KeyManager @Nullable [] keys(Tls settings) throws GeneralSecurityException, IOException {
        Optional<Path> certificate = settings.certificate();
        if (certificate.isEmpty()) {
            return null;
        }
        KeyStore store = emptyStore();
        store.setKeyEntry(
                "client",
                key(settings.key().orElse(certificate.get())),
                IN_MEMORY,
                certificates(certificate.get()).toArray(Certificate[]::new));
        KeyManagerFactory factory = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        factory.init(store, IN_MEMORY);
        return factory.getKeyManagers();
    }

    private static KeyStore emptyStore() throws GeneralSecurityException, IOException {
        KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
        store.load(null, IN_MEMORY);
        return store;
    }

    private static List<Certificate> certificates(Path file) throws IOException {
        List<Certificate> found = new ArrayList<>();
        Matcher block = CERTIFICATE.matcher(Files.readString(file));
        try {
            while (block.find()) {
                byte[] bytes = block.group().getBytes(StandardCharsets.US_ASCII);
                found.add(CertificateFactory.getInstance("X.509").generateCertificate(new ByteArrayInputStream(bytes)));
            }
        } catch (GeneralSecurityException wrong) {
            throw new IOException(file + " holds a certificate that cannot be read", wrong);
        }
        if (found.isEmpty()) {
            throw new IOException(file + " holds no certificate in PEM");
        }
        return found;
    }

    private static PrivateKey key(Path file) throws IOException, GeneralSecurityException {
        Matcher block = KEY.matcher(Files.readString(file));
        if (!block.find()) {
            throw new IOException(file + " holds no key in PKCS#8 (BEGIN PRIVATE KEY); convert it with openssl pkcs8");
        }
        PKCS8EncodedKeySpec spec =
                new PKCS8EncodedKeySpec(Base64.getMimeDecoder().decode(block.group(1)));
        try {
            return KeyFactory.getInstance("RSA").generatePrivate(spec);
        } catch (InvalidKeySpecException notRsa) {
            return KeyFactory.getInstance("EC").generatePrivate(spec);
        }
    }

    /** For {@code verify: false}. Being an extended one, it also answers for the check of host names. */
    private static final class TrustsEverybody extends X509ExtendedTrustManager {
        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type, Socket socket) {}

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type, Socket socket) {}

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type, SSLEngine engine) {}

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type, SSLEngine engine) {}

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type) {}

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type) {}

        @Override
        public X509Certificate[] getAcceptedIssuers() {
            return new X509Certificate[0];
        }
    }
}
