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

    private Running launcher(Path configuration) throws IOException {
        return Running.start(
                Map.of(
                        "NODEPOOL_VAR",
                        folder.resolve("var").toString(),
                        "OS_CLIENT_CONFIG_FILE",
                        cloud.resolve("clouds.yaml").toString()),
                List.of(Installation.program("nodepool-launcher"), "-f", "-c", configuration.toString(), "--no-webapp"));
    }
}
