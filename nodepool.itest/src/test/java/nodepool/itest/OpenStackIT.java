package nodepool.itest;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import nodepool.testkit.Ended;
import nodepool.testkit.FreePort;
import nodepool.testkit.Kazoo;
import nodepool.testkit.RealPart;
import nodepool.testkit.Running;
import nodepool.testkit.SshdProcess;
import nodepool.testkit.ZooKeeperProcess;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The launcher process, a requestor that speaks kazoo, a real OpenStack, and a real sshd at its servers' addresses. */
class OpenStackIT {

    private static final String PYTHON = "/usr/bin/python3";
    private static final Path CLOUD = Path.of("../nodepool.driver.openstack/src/test/openstack/cloud");

    /** All addresses the network gives: servers are reached there because they are the machine's own. */
    private static final List<String> ADDRESSES = List.of("127.70.0.5", "127.70.0.6");

    private static final String MAKE_NETWORK = """
            import openstack
            network = openstack.connect(cloud="nodepool").network
            made = network.create_network(name="pair")
            network.create_subnet(network_id=made.id, ip_version=4, cidr="127.70.0.0/29", gateway_ip=None,
                                  enable_dhcp=False, allocation_pools=[{"start": "127.70.0.5", "end": "127.70.0.6"}])
            """;

    private static final String WHAT_IS_LEFT = """
            import openstack
            cloud = openstack.connect(cloud="nodepool")
            left = [server.name for server in cloud.compute.servers()]
            left += [port.id for port in cloud.network.ports() if port.device_owner.startswith("compute:")]
            left += [ip.id for ip in cloud.network.ips()] + [volume.id for volume in cloud.block_storage.volumes()]
            print(left)
            """;

    private static final String PROVIDER = """
            labels: [{name: small}, {name: volume}]
            providers:
              - name: real
                driver: openstack
                cloud: nodepool
                rate: 0
                cloud-images: [{name: base, connection-port: %d}]
                pools:
                  - name: main
                    networks: [pair]
                    auto-floating-ip: false
                    labels:
                      - {name: small, cloud-image: base, flavor-name: m1.small}
                      - {name: volume, cloud-image: base, min-ram: 1, boot-from-volume: true, volume-size: 1}
            """;

    /** Servers that nobody connects to; one attempt each. */
    private static final String PRIVATE = """
            labels: [{name: small}, {name: volume}]
            providers:
              - name: real
                driver: openstack
                cloud: nodepool
                rate: 0
                launch-retries: 1
                cloud-images: [{name: base}]
                pools:
                  - {name: main, networks: [private], host-key-checking: false, %s, labels: [
                     {name: small, cloud-image: base, flavor-name: m1.small},
                     {name: volume, cloud-image: base, min-ram: 1, boot-from-volume: true, volume-size: 1}]}
            """;

    private static final String SET_QUOTA = """
            import openstack
            openstack.connect(cloud="admin").set_compute_quotas("nodepool", instances=%d)
            """;

    @TempDir
    static Path cloud;

    @TempDir
    Path folder;

    @BeforeAll
    static void start_the_cloud() throws Exception {
        for (RealPart part : List.of(RealPart.OPENSTACK, RealPart.ZOOKEEPER, RealPart.KAZOO, RealPart.SSHD)) {
            part.require();
        }
        Ended.of(Map.of(), PYTHON, CLOUD.toString(), "start", cloud.toString()).orFail();
        ask(MAKE_NETWORK);
    }

    @AfterAll
    static void stop_the_cloud() throws Exception {
        Ended.of(Map.of(), PYTHON, CLOUD.toString(), "stop", cloud.toString()).orFail();
        Files.createDirectories(cloud);
    }

    private static Map<String, String> environment() {
        return Map.of("OS_CLIENT_CONFIG_FILE", cloud.resolve("clouds.yaml").toString(), "NO_PROXY", "127.0.0.1");
    }

    private static String ask(String script) throws IOException, InterruptedException {
        return Ended.of(environment(), PYTHON, "-W", "ignore", "-c", script).orFail();
    }

    @Test
    void two_servers_are_asked_for_reached_used_and_gone() throws Exception {
        int port = FreePort.find();
        List<String> listen = ADDRESSES.stream()
                .map(address -> "ListenAddress=" + address + ":" + port)
                .toList();
        Path configuration = folder.resolve("nodepool.yaml");
        try (SshdProcess sshd = SshdProcess.start(folder, port, listen, "ed25519");
                ZooKeeperProcess zooKeeper = ZooKeeperProcess.start(Files.createDirectory(folder.resolve("zk")))) {
            Files.writeString(configuration, zooKeeper.nodepoolConfiguration() + PROVIDER.formatted(sshd.port()));
            try (Running launcher = launcher(configuration)) {
                Ended zuul = Kazoo.run(OpenStackIT.class, "/zuul.py", zooKeeper.kazooArguments(), "small", "volume");
                assertTrue(zuul.output().endsWith("used\ngone\n"), () -> zuul.output() + launcher.all());
                assertEquals("[]\n", ask(WHAT_IS_LEFT), launcher::all);
                Ended ended = launcher.stop();
                assertEquals(0, ended.code(), ended.output());
                assertFalse(ended.output().contains(" ERROR "), ended.output());
                assertFalse(ended.output().contains(" WARN "), ended.output());
            }
        }
    }

    @Test
    void servers_of_one_request_are_in_one_zone_each_with_its_floating_ip() throws Exception {
        String output =
                serve(PRIVATE.formatted("availability-zones: [az-b], auto-floating-ip: true"), 2, "small", "volume");
        assertTrue(output.endsWith("2 of 2 fulfilled\ngone\n"), output);
        List<String> nodes =
                output.lines().filter(line -> line.startsWith("node ")).toList();
        assertEquals(4, nodes.size(), output);
        for (String node : nodes) {
            assertTrue(node.matches("node (small|volume) az-b 127\\.65\\S+ 127\\.64\\S+ fd64:\\S+"), node);
        }
        assertEquals("[]\n", ask(WHAT_IS_LEFT));
    }

    @Test
    void a_quota_that_is_known_is_never_run_into() throws Exception {
        long before = refusals();
        ask(SET_QUOTA.formatted(3));
        try {
            String output = serve(PRIVATE.formatted("auto-floating-ip: false"), 10, "small");
            assertTrue(output.endsWith("10 of 10 fulfilled\ngone\n"), output);
        } finally {
            ask(SET_QUOTA.formatted(1000));
        }
        assertEquals(0, refusals() - before);
    }

    @Test
    void a_quota_that_shrinks_unseen_is_run_into_once_per_server_at_most_and_fails_nobody() throws Exception {
        long before = refusals();
        int requests = 10;
        try {
            String output = serve(
                    PRIVATE.formatted("auto-floating-ip: false"), requests, () -> ask(SET_QUOTA.formatted(3)), "small");
            assertTrue(output.endsWith("10 of 10 fulfilled\ngone\n"), output);
        } finally {
            ask(SET_QUOTA.formatted(1000));
        }
        long refused = refusals() - before;
        assertTrue(refused > 0 && refused <= requests, () -> refused + " refused");
        assertEquals("[]\n", ask(WHAT_IS_LEFT));
    }

    /** How many servers compute has refused when it was asked. */
    private static long refusals() throws IOException {
        try (Stream<String> lines = Files.lines(cloud.resolve("log/nova.log"))) {
            return lines.filter(line -> line.contains("\"POST /v2.1/servers ") && line.contains("status: 403"))
                    .count();
        }
    }

    private String serve(String provider, int count, String... labels) throws Exception {
        return serve(provider, count, () -> {}, labels);
    }

    /**
     * Starts a launcher and lets requests be served.
     *
     * @param meanwhile what happens when the launcher has served one request and is about to get the others
     */
    private String serve(String provider, int count, Meanwhile meanwhile, String... labels) throws Exception {
        Path configuration = folder.resolve("nodepool.yaml");
        try (ZooKeeperProcess zooKeeper = ZooKeeperProcess.start(Files.createDirectory(folder.resolve("zk")))) {
            Files.writeString(configuration, zooKeeper.nodepoolConfiguration() + provider);
            try (Running launcher = launcher(configuration)) {
                many(zooKeeper, 1, "small").orFail();
                meanwhile.happens();
                Ended zuul = many(zooKeeper, count, labels);
                assertEquals(0, zuul.code(), () -> zuul.output() + launcher.all());
                return zuul.output();
            }
        }
    }

    private static Ended many(ZooKeeperProcess zooKeeper, int count, String... labels) throws Exception {
        List<String> arguments = new ArrayList<>(List.of(Integer.toString(count)));
        arguments.addAll(List.of(labels));
        return Kazoo.run(OpenStackIT.class, "/many.py", zooKeeper.kazooArguments(), arguments.toArray(String[]::new));
    }

    @FunctionalInterface
    private interface Meanwhile {
        void happens() throws Exception;
    }

    private Running launcher(Path configuration) throws IOException {
        return Running.start(
                Map.of(
                        "NODEPOOL_VAR",
                        folder.resolve("var").toString(),
                        "OS_CLIENT_CONFIG_FILE",
                        cloud.resolve("clouds.yaml").toString()),
                List.of(
                        Installation.program("nodepool-launcher"),
                        "-f",
                        "-c",
                        configuration.toString(),
                        "--no-webapp"));
    }
}
