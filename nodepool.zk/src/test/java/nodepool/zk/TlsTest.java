package nodepool.zk;

import static nodepool.zk.Scene.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import nodepool.api.config.ZooKeeperConfig;
import nodepool.api.config.ZooKeeperConfig.Tls;
import nodepool.api.request.NodeRequest;
import nodepool.testkit.FreePort;
import nodepool.testkit.Kazoo;
import nodepool.testkit.RealPart;
import nodepool.testkit.TlsFiles;
import nodepool.testkit.ZooKeeperProcess;
import org.apache.zookeeper.ZooKeeper;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** TLS with Debian's ZooKeeper, which wants a certificate of its clients too. */
class TlsTest {

    private static final NodeRequest REQUEST =
            NodeRequest.draft(NodeRequest.Wanted.of(List.of("small")), NodeRequest.Asker.named("test"), Scene.NOW);

    @TempDir
    static Path folder;

    private static TlsFiles files;
    private static TlsFiles strangers;
    private static ZooKeeperProcess server;

    @BeforeAll
    static void start() throws Exception {
        RealPart.ZOOKEEPER.require();
        files = TlsFiles.make(Files.createDirectory(folder.resolve("ours")));
        strangers = TlsFiles.make(Files.createDirectory(folder.resolve("strangers")));
        server = ZooKeeperProcess.startTls(folder, FreePort.find(), files);
    }

    @AfterAll
    static void stop() {
        if (server != null) {
            server.close();
        }
    }

    private static Tls tls() {
        return new Tls(files.clientCertificate(), files.clientKey(), files.authority(), false);
    }

    private static ZkStores connect(String chroot, Tls tls) {
        return new ZkStores(
                new ZooKeeperConfig(List.of(server.connectString()), chroot, Duration.ofSeconds(10), Optional.of(tls)));
    }

    private static void assertWorks(String chroot, Tls tls) {
        try (ZkStores stores = connect(chroot, tls)) {
            await(stores.snapshots().next());
            assertTrue(
                    await(stores.requests().create(REQUEST, "100", false)).id().startsWith("100-"));
        }
    }

    @Test
    void certificate_and_key_lie_in_two_files() {
        assertWorks("", tls());
    }

    @Test
    void a_chroot_is_made_through_tls() {
        assertWorks("/below", tls());
    }

    @Test
    void a_host_that_its_certificate_names_is_the_right_one() {
        assertWorks("", new Tls(files.clientCertificate(), files.clientKey(), files.authority(), true));
    }

    @Test
    void a_key_in_the_older_form_works() throws Exception {
        String pem = Files.readString(files.clientKey()).replaceAll("-----.*-----", "");
        byte[] pkcs8 = Base64.getMimeDecoder().decode(pem);
        byte[] pkcs1 = Arrays.copyOfRange(pkcs8, 26, pkcs8.length);
        Path old = Files.writeString(
                folder.resolve("old-key.pem"),
                "-----BEGIN RSA PRIVATE KEY-----\n" + Base64.getMimeEncoder().encodeToString(pkcs1)
                        + "\n-----END RSA PRIVATE KEY-----\n");
        assertWorks("", new Tls(files.clientCertificate(), old, files.authority(), false));
    }

    @Test
    void kazoo_reads_through_tls_what_we_wrote() throws Exception {
        RealPart.KAZOO.require();
        try (ZkStores stores = connect("", tls())) {
            await(stores.snapshots().next());
            String id = await(stores.requests().create(REQUEST, "100", false)).id();
            String read = "print(json.loads(c.get('/nodepool/requests/' + sys.argv[2])[0])['state'])";
            assertEquals(
                    "requested\n",
                    Kazoo.lines(server.kazooArguments(), read, id).orFail());
        }
    }

    /** What is told to the operator when there is no connection. */
    private static String complaint(Tls tls, String address) {
        CompletableFuture<String> told = new CompletableFuture<>();
        try (Session session =
                new Session(new ZooKeeperConfig(List.of(address), "", Duration.ofSeconds(10), Optional.of(tls)))) {
            session.listen(new Session.Listener() {
                @Override
                public void connected(ZooKeeper handle) {
                    told.complete("connected");
                }

                @Override
                public void suspended() {}

                @Override
                public void lost() {}

                @Override
                public void unreachable(String why) {
                    told.complete(why);
                }
            });
            session.start();
            return await(told);
        }
    }

    @Test
    void a_server_of_another_authority_is_told_with_the_file_that_names_ours() {
        Tls wrong = new Tls(files.clientCertificate(), files.clientKey(), strangers.authority(), false);
        String why = complaint(wrong, server.connectString());
        assertTrue(why.contains(strangers.authority() + " (zookeeper-tls.ca)"), why);
        assertTrue(why.contains("does not chain"), why);
    }

    @Test
    void a_certificate_that_the_server_refuses_is_told_with_its_file() {
        Tls wrong = new Tls(strangers.clientCertificate(), strangers.clientKey(), files.authority(), false);
        String why = complaint(wrong, server.connectString());
        assertTrue(why.contains(strangers.clientCertificate() + " (zookeeper-tls.cert)"), why);
    }

    @Test
    void a_server_that_does_not_speak_tls_is_told() throws Exception {
        Path own = Files.createDirectory(folder.resolve("plain"));
        try (ZooKeeperProcess plain = ZooKeeperProcess.start(own)) {
            String why = complaint(tls(), plain.connectString());
            assertTrue(why.contains("does not speak TLS") || why.contains("zookeeper-tls.cert"), why);
        }
    }

    @Test
    void files_that_cannot_work_are_refused_at_once_and_named() throws Exception {
        Path absent = folder.resolve("absent.pem");
        Path empty = Files.writeString(folder.resolve("empty.pem"), "nothing\n");
        assertRefused(
                "zookeeper-tls.ca: " + absent, new Tls(files.clientCertificate(), files.clientKey(), absent, false));
        assertRefused(
                "zookeeper-tls.ca: " + empty, new Tls(files.clientCertificate(), files.clientKey(), empty, false));
        assertRefused("zookeeper-tls.cert: " + absent, new Tls(absent, files.clientKey(), files.authority(), false));
        assertRefused("zookeeper-tls.cert: " + empty, new Tls(empty, files.clientKey(), files.authority(), false));
        assertRefused(
                "zookeeper-tls.key: " + absent, new Tls(files.clientCertificate(), absent, files.authority(), false));
        assertRefused(
                "zookeeper-tls.key: " + empty, new Tls(files.clientCertificate(), empty, files.authority(), false));
    }

    private static void assertRefused(String start, Tls tls) {
        String why = assertThrows(IllegalArgumentException.class, () -> connect("", tls))
                .getMessage();
        assertTrue(why.startsWith(start), why);
    }

    @Test
    void the_joined_key_does_not_outlive_the_connection() throws Exception {
        TlsClient client = new TlsClient(tls());
        Path joined = Path.of(client.settings().getProperty("zookeeper.ssl.keyStore.location"));
        assertEquals("rw-------", PosixFilePermissions.toString(Files.getPosixFilePermissions(joined)));
        client.close();
        assertFalse(Files.exists(joined));
    }
}
