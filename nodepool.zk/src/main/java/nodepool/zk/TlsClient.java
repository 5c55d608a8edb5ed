package nodepool.zk;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import nodepool.api.config.ZooKeeperConfig.Tls;
import org.apache.zookeeper.client.ZKClientConfig;

/** ZooKeeper's client settings for TLS. It wants certificate and key in one file; the configuration has two. */
final class TlsClient {

    private TlsClient() {}

    static ZKClientConfig config(Tls tls) {
        ZKClientConfig config = new ZKClientConfig();
        config.setProperty(ZKClientConfig.ZOOKEEPER_CLIENT_CNXN_SOCKET, "org.apache.zookeeper.ClientCnxnSocketNetty");
        config.setProperty(ZKClientConfig.SECURE_CLIENT, "true");
        config.setProperty("zookeeper.ssl.keyStore.location", joined(tls).toString());
        config.setProperty("zookeeper.ssl.keyStore.type", "PEM");
        config.setProperty("zookeeper.ssl.trustStore.location", tls.ca().toString());
        config.setProperty("zookeeper.ssl.trustStore.type", "PEM");
        config.setProperty("zookeeper.ssl.hostnameVerification", Boolean.toString(tls.verifyHostname()));
        return config;
    }

    private static Path joined(Tls tls) {
        try {
            Path file = Files.createTempFile(
                    "nodepool-zk",
                    ".pem",
                    PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
            file.toFile().deleteOnExit();
            return Files.writeString(file, Files.readString(tls.cert()) + "\n" + Files.readString(tls.key()));
        } catch (IOException e) {
            throw new UncheckedIOException("zookeeper-tls: cannot read " + e.getMessage(), e);
        }
    }
}
