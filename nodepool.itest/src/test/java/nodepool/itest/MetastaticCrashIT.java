package nodepool.itest;

import static org.junit.jupiter.api.Assertions.assertEquals;

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
import nodepool.testkit.ZooKeeperProcess;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Slots on static hosts, over the sudden death of the launcher, with Debian's ZooKeeper. */
class MetastaticCrashIT {

    private static final String PROVIDERS = """
            webapp:
              listen_address: 127.0.0.1
              port: %d
            labels:
              - name: metal
              - name: slot
            providers:
              - name: rack
                driver: static
                pools:
                  - name: main
                    node-attributes: {rack: r1, sliced: 'no'}
                    nodes:
                      - name: 127.0.0.1
                        labels: [metal]
                        host-key-checking: false
                        username: zuul
                        max-parallel-jobs: 2
              - name: slicer
                driver: metastatic
                pools:
                  - name: main
                    node-attributes: {sliced: 'yes'}
                    labels:
                      - name: slot
                        backing-label: metal
                        max-parallel-jobs: 2
            """;
    /** Prints provider, state, slot, attributes and the names under which each node is locked. */
    private static final String NODES = """
            for id in sorted(c.get_children('/nodepool/nodes')):
                node = json.loads(c.get('/nodepool/nodes/' + id)[0])
                lock = '/nodepool/nodes/' + id + '/lock'
                holders = [c.get(lock + '/' + one)[0].decode() for one in c.get_children(lock)]
                print(node['provider'], node['state'], node['slot'], json.dumps(node['attributes'], sort_keys=True), holders)
            """;

    @TempDir
    Path folder;

    @BeforeEach
    void need() throws Exception {
        RealPart.ZOOKEEPER.require();
        RealPart.KAZOO.require();
    }

    @Test
    void a_launcher_that_was_killed_finds_its_backing_nodes_and_their_slots_again() throws Exception {
        try (ZooKeeperProcess zooKeeper = ZooKeeperProcess.start(folder)) {
            Path file = Files.writeString(
                    folder.resolve("nodepool.yaml"),
                    zooKeeper.nodepoolConfiguration() + PROVIDERS.formatted(FreePort.find()));
            try (Running first = launcher(file)) {
                assertGetsASlot(file, first);
                first.kill();
            }
            try (Running second = launcher(file)) {
                assertGetsASlot(file, second);
                assertGetsASlot(file, second);
                String slot = "slicer ready %d {\"rack\": \"r1\", \"sliced\": \"yes\"} []";
                String metal = "rack in-use %d {\"rack\": \"r1\", \"sliced\": \"no\"} ['NodePool:metastatic:slicer']";
                assertEquals(
                        List.of(
                                metal.formatted(0),
                                metal.formatted(1),
                                slot.formatted(0),
                                slot.formatted(0),
                                slot.formatted(1)),
                        Kazoo.lines(zooKeeper.kazooArguments(), NODES)
                                .orFail()
                                .lines()
                                .sorted()
                                .toList());
                assertEquals(0, second.stop().code(), second::all);
            }
        }
    }

    private Running launcher(Path configuration) throws IOException, InterruptedException {
        Running launcher = Running.start(
                environment(),
                List.of(Installation.program("nodepool-launcher"), "-f", "-c", configuration.toString()));
        launcher.await("Provider slicer is in service");
        return launcher;
    }

    private void assertGetsASlot(Path configuration, Running launcher) throws IOException, InterruptedException {
        Ended got = Ended.of(
                environment(),
                Installation.program("nodepool"),
                "-c",
                configuration.toString(),
                "request",
                "slot",
                "--wait");
        assertEquals(0, got.code(), () -> got.output() + launcher.all());
    }

    private Map<String, String> environment() {
        return Map.of("NODEPOOL_VAR", folder.resolve("var").toString());
    }
}
