package nodepool.itest;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import nodepool.testkit.Ended;
import nodepool.testkit.FreePort;
import nodepool.testkit.Kazoo;
import nodepool.testkit.RealPart;
import nodepool.testkit.Running;
import nodepool.testkit.TlsFiles;
import nodepool.testkit.ZooKeeperProcess;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The launcher as a service manager runs it, with Debian's ZooKeeper and a requestor that speaks kazoo. */
class LauncherIT {

    enum Transport {
        PLAIN {
            @Override
            ZooKeeperProcess start(Path folder) throws IOException, InterruptedException {
                return ZooKeeperProcess.start(folder);
            }
        },
        TLS {
            @Override
            ZooKeeperProcess start(Path folder) throws IOException, InterruptedException {
                return ZooKeeperProcess.startTls(folder);
            }
        };

        abstract ZooKeeperProcess start(Path folder) throws IOException, InterruptedException;
    }

    private static final String PROVIDERS = """
            labels:
              - name: metal
            providers:
              - name: rack
                driver: static
                pools:
                  - name: main
                    nodes:
                      - name: 127.0.0.1
                        labels: [metal]
                        host-key-checking: false
                        username: zuul
                        max-parallel-jobs: 2
            """;
    private static final String LOST_HOST = """
                      - name: no-such-host.invalid
                        labels: [metal]
                        host-key-checking: false
                        username: zuul
            """;

    @TempDir
    Path folder;

    @BeforeEach
    void need() throws Exception {
        RealPart.ZOOKEEPER.require();
        RealPart.KAZOO.require();
    }

    @ParameterizedTest
    @EnumSource
    void it_serves_what_zuul_asks_for_and_ends_in_order_on_sigterm(Transport transport) throws Exception {
        try (ZooKeeperProcess zooKeeper = transport.start(folder);
                Running launcher = launcher(zooKeeper.nodepoolConfiguration() + PROVIDERS)) {
            assertServes(zooKeeper, launcher);

            Ended ended = launcher.stop();

            assertEquals(0, ended.code(), ended.output());
            assertNothingWentWrong(ended.output());
            assertEquals("[]\n", Kazoo.lines(zooKeeper.kazooArguments(), """
                            print(c.get_children('/nodepool/components/pool'))""").orFail());
        }
    }

    @ParameterizedTest
    @EnumSource
    void when_zookeeper_was_away_it_says_so_and_serves_again_after(Transport transport) throws Exception {
        try (ZooKeeperProcess zooKeeper = transport.start(folder);
                Running launcher = launcher(zooKeeper.nodepoolConfiguration() + PROVIDERS)) {
            assertServes(zooKeeper, launcher);
            int known = launcher.size();

            zooKeeper.kill();
            launcher.awaitAfter(known, "does not answer");
            zooKeeper.restart();
            launcher.awaitAfter(known, zooKeeper.connectString() + " available");

            assertEquals(List.of(), decisions(launcher, known));
            assertServes(zooKeeper, launcher);
            assertEquals(1, launcher.count("does not answer"), launcher::all);
            Ended ended = launcher.stop();
            assertEquals(0, ended.code(), ended.output());
            assertNothingWentWrong(ended.output());
        }
    }

    @ParameterizedTest
    @EnumSource
    void when_zookeeper_comes_later_it_waits_and_says_for_what(Transport transport) throws Exception {
        Path tlsFolder = Files.createDirectory(folder.resolve("tls-files"));
        int port = FreePort.find();
        boolean tls = transport == Transport.TLS;
        TlsFiles files = tls ? TlsFiles.make(tlsFolder) : new TlsFiles(tlsFolder, tlsFolder, tlsFolder, tlsFolder);
        String connection = "zookeeper-servers:\n  - host: 127.0.0.1\n    port: " + port + "\n"
                + (tls
                        ? "zookeeper-tls:\n  ca: %s\n  cert: %s\n  key: %s\n"
                                .formatted(files.authority(), files.clientCertificate(), files.clientKey())
                        : "");
        try (Running launcher = launcher(connection + PROVIDERS)) {
            launcher.await("ZooKeeper at 127.0.0.1:" + port + " does not answer");
            try (ZooKeeperProcess zooKeeper =
                    tls ? ZooKeeperProcess.startTls(folder, port, files) : ZooKeeperProcess.start(folder, port)) {
                assertServes(zooKeeper, launcher);
                assertEquals(1, launcher.count("does not answer"), launcher::all);
                assertEquals(0, launcher.stop().code(), launcher::all);
                assertNothingWentWrong(launcher.all());
            }
        }
    }

    @Test
    void it_ends_in_order_while_zookeeper_is_away() throws Exception {
        int port = FreePort.find();
        String connection = "zookeeper-servers:\n  - host: 127.0.0.1\n    port: " + port + "\n";
        try (Running launcher = launcher(connection + PROVIDERS)) {
            launcher.await("does not answer");
            assertEquals(0, launcher.stop().code(), launcher::all);
        }
    }

    @Test
    void a_static_host_that_does_not_resolve_is_named_once_and_the_others_serve() throws Exception {
        try (ZooKeeperProcess zooKeeper = ZooKeeperProcess.start(folder);
                Running launcher = launcher(zooKeeper.nodepoolConfiguration() + PROVIDERS + LOST_HOST)) {
            launcher.await("no-such-host.invalid");
            assertServes(zooKeeper, launcher);
            assertServes(zooKeeper, launcher);
            assertEquals(1, launcher.count("no-such-host.invalid"), launcher::all);
            assertEquals(0, launcher.stop().code(), launcher::all);
        }
    }

    @Test
    void every_bad_record_is_named_once_and_stops_nobody() throws Exception {
        try (ZooKeeperProcess zooKeeper = ZooKeeperProcess.start(folder);
                Running launcher = launcher(zooKeeper.nodepoolConfiguration() + PROVIDERS)) {
            assertServes(zooKeeper, launcher);
            BadRecords.write(zooKeeper.kazooArguments());
            BadRecords.awaitAllNamed(launcher);

            assertServes(zooKeeper, launcher);

            BadRecords.assertEachNamedOnce(launcher);
            assertEquals(0, launcher.stop().code(), launcher::all);
        }
    }

    @Test
    void a_request_nobody_can_serve_fails_and_one_of_the_largest_size_is_served() throws Exception {
        try (ZooKeeperProcess zooKeeper = ZooKeeperProcess.start(folder);
                Running launcher = launcher(zooKeeper.nodepoolConfiguration() + PROVIDERS)) {
            String states = Kazoo.run(LauncherIT.class, "/requests.py", zooKeeper.kazooArguments(), "metal")
                    .orFail();

            assertEquals("unknown label: failed\nhuge: fulfilled\n", states, launcher::all);
            assertEquals(1, launcher.count("[no-such-label] not available"), launcher::all);
            assertServes(zooKeeper, launcher);
        }
    }

    private Running launcher(String configuration) throws IOException {
        Path file = Files.writeString(folder.resolve("nodepool.yaml"), configuration);
        return Running.start(
                Map.of("NODEPOOL_VAR", folder.resolve("var").toString()),
                List.of(Installation.program("nodepool-launcher"), "-f", "--no-webapp", "-c", file.toString()));
    }

    private static void assertServes(ZooKeeperProcess zooKeeper, Running launcher)
            throws IOException, InterruptedException {
        Ended zuul = Kazoo.run(LauncherIT.class, "/zuul.py", zooKeeper.kazooArguments(), "metal", "metal");
        assertTrue(zuul.output().endsWith("used\ngone\n"), () -> zuul.output() + launcher.all());
    }

    /** What it logged without a connection other than about the connection. */
    private static List<String> decisions(Running launcher, int known) {
        return launcher.all()
                .lines()
                .skip(known)
                .dropWhile(line -> !line.contains("does not answer"))
                .takeWhile(line -> !line.contains(" available"))
                .filter(line -> !line.contains(" nodepool.zk."))
                .toList();
    }

    private static void assertNothingWentWrong(String log) {
        assertFalse(log.contains(" ERROR "), log);
        assertFalse(log.contains("\tat "), log);
    }
}
