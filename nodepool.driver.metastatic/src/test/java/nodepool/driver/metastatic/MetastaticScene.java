package nodepool.driver.metastatic;

import static nodepool.driver.metastatic.Events.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.ServiceLoader;
import nodepool.api.config.ZooKeeperConfig;
import nodepool.api.driver.CloudException;
import nodepool.api.json.JsonValue.JsonNull;
import nodepool.api.node.Node;
import nodepool.api.node.NodeState;
import nodepool.api.request.NodeRequest;
import nodepool.api.store.Stores;
import nodepool.driver.metastatic.MetastaticLabel.Backing;
import nodepool.testkit.ManualClock;
import nodepool.zk.embedded.EmbeddedZooKeeper;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** The provider with the real stores and a real server, beside a launcher that serves its requests. */
abstract class MetastaticScene {

    static final String OWNER = "NodePool:metastatic:slicer";
    static final Backing PLAIN = new Backing("big", 2, Duration.ofMinutes(1), Duration.ZERO, Optional.empty());

    @TempDir
    private Path folder;

    final ManualClock clock = new ManualClock(Instant.ofEpochSecond(1_726_600_000));
    private final List<AutoCloseable> open = new ArrayList<>();
    private EmbeddedZooKeeper server;
    BackingLauncher aurora;
    SlotLauncher slicer;

    @BeforeEach
    void connect() throws Exception {
        server = EmbeddedZooKeeper.start(folder, 0);
        aurora = new BackingLauncher(stores(), clock);
        slicer = launcher(config(PLAIN));
    }

    @AfterEach
    void close() throws Exception {
        for (AutoCloseable each : open) {
            each.close();
        }
        server.close();
    }

    NodeRequest request() {
        return NodeRequest.draft(
                NodeRequest.Wanted.of(List.of("small")), NodeRequest.Asker.named("client"), clock.instant());
    }

    /** Takes a first step for that node and fulfils the request it makes. */
    String back(String id) throws CloudException {
        slicer.step(id);
        String backing = aurora.fulfil(slicer.requests(1).get(0));
        untilReady(List.of(backing));
        return backing;
    }

    void untilReady(List<String> backing) {
        Events.first(
                slicer.stores().snapshots(),
                now -> backing.stream()
                                .allMatch(id -> now.requests().stream()
                                        .anyMatch(request -> request.state().isFinal()
                                                && request.nodes().contains(id)))
                        ? Optional.of(now)
                        : Optional.empty());
    }

    void until(String id, boolean there) {
        Events.first(
                slicer.stores().snapshots(),
                now -> now.node(id).isPresent() == there ? Optional.of(now) : Optional.empty());
    }

    void untilLocked(String id) {
        Events.first(slicer.stores().snapshots(), now -> now.isLocked(id) ? Optional.of(now) : Optional.empty());
    }

    static String seat(SlotLauncher launcher, String id) throws CloudException {
        SlotNote data = SlotNote.of(Node.draft(
                                NodeState.READY,
                                List.of(),
                                Node.Place.NONE,
                                Node.Machine.NONE.withDriverData(
                                        launcher.make(id).driverData()),
                                Instant.EPOCH)
                        .withId(id))
                .orElseThrow();
        return data.backingNode() + "/" + data.slot();
    }

    Node node(String id) {
        return await(slicer.stores().nodes().read(id)).orElseThrow();
    }

    void assertReleased(String id) {
        assertEquals(NodeState.USED, node(id).state());
        assertTrue(await(slicer.stores().nodes().tryLock(id)).isPresent());
    }

    SlotLauncher launcher(MetastaticConfig config) {
        SlotLauncher made = new SlotLauncher(stores(), clock, config);
        open.add(0, made);
        return made;
    }

    Stores stores() {
        Stores stores = ServiceLoader.load(Stores.Connector.class)
                .findFirst()
                .orElseThrow()
                .connect(new ZooKeeperConfig(
                        List.of(server.connectString()), "", Duration.ofSeconds(10), Optional.empty()));
        await(stores.snapshots().next());
        open.add(stores);
        return stores;
    }

    static MetastaticConfig config(Backing backing) {
        return config(new MetastaticLabel("small", backing, false));
    }

    static MetastaticConfig config(MetastaticLabel label) {
        return new MetastaticConfig(
                "slicer",
                -1,
                3,
                Duration.ofMinutes(15),
                Duration.ofMinutes(2),
                List.of(new MetastaticPool("slices", OptionalInt.empty(), 100, JsonNull.NULL, List.of(label))));
    }
}
