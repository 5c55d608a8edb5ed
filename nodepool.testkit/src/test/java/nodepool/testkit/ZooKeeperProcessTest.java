package nodepool.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.io.InputStream;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.cert.CertificateFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ZooKeeperProcessTest {

    private static final String WRITE = "c.create('/here', b'it is')";
    private static final String READ = "print(c.get('/here')[0].decode())";

    @TempDir
    Path folder;

    @BeforeEach
    void need() throws Exception {
        RealPart.ZOOKEEPER.require();
        RealPart.KAZOO.require();
    }

    @Test
    void what_was_written_is_there_after_a_kill_and_a_restart() throws Exception {
        try (ZooKeeperProcess zooKeeper = ZooKeeperProcess.start(folder)) {
            Kazoo.lines(zooKeeper.kazooArguments(), WRITE).orFail();

            zooKeeper.kill();
            assertThrows(ConnectException.class, () -> new Socket(InetAddress.getLoopbackAddress(), zooKeeper.port()));
            zooKeeper.restart();

            assertEquals(
                    "it is\n", Kazoo.lines(zooKeeper.kazooArguments(), READ).orFail());
        }
    }

    @Test
    void it_stops_in_order_and_starts_again() throws Exception {
        try (ZooKeeperProcess zooKeeper = ZooKeeperProcess.start(folder)) {
            Kazoo.lines(zooKeeper.kazooArguments(), WRITE).orFail();
            zooKeeper.stop();
            zooKeeper.restart();
            assertEquals(
                    "it is\n", Kazoo.lines(zooKeeper.kazooArguments(), READ).orFail());
        }
    }

    @Test
    void with_tls_it_serves_who_has_a_certificate_and_nobody_else() throws Exception {
        try (ZooKeeperProcess zooKeeper = ZooKeeperProcess.startTls(folder)) {
            Kazoo.lines(zooKeeper.kazooArguments(), WRITE).orFail();
            zooKeeper.kill();
            zooKeeper.restart();
            assertEquals(
                    "it is\n", Kazoo.lines(zooKeeper.kazooArguments(), READ).orFail());

            assertThrows(IOException.class, () -> askWithoutCertificate(zooKeeper));
        }
    }

    private static void askWithoutCertificate(ZooKeeperProcess zooKeeper) throws Exception {
        KeyStore trusted = KeyStore.getInstance(KeyStore.getDefaultType());
        trusted.load(null, null);
        try (InputStream in = Files.newInputStream(zooKeeper.tls().orElseThrow().authority())) {
            trusted.setCertificateEntry(
                    "ca", CertificateFactory.getInstance("X.509").generateCertificate(in));
        }
        TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trust.init(trusted);
        SSLContext tls = SSLContext.getInstance("TLS");
        tls.init(null, trust.getTrustManagers(), null);
        try (Socket socket = tls.getSocketFactory().createSocket("127.0.0.1", zooKeeper.port())) {
            socket.getOutputStream().write("ruok".getBytes(StandardCharsets.US_ASCII));
            socket.getOutputStream().flush();
            assertEquals(-1, socket.getInputStream().read(), "it answers");
        }
    }
}
