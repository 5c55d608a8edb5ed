package nodepool.zk;

import static nodepool.zk.Scene.await;
import static nodepool.zk.Scene.until;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import nodepool.api.store.Snapshot;
import nodepool.zk.embedded.EmbeddedZooKeeper;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What others write into the tree, and how the snapshot takes it. */
class LiveTreeTest {

    private static final String GOOD = "{\"state\": \"ready\", \"state_time\": 1726600001.5, \"type\": [\"small\"]}";

    @TempDir
    Path folder;

    private EmbeddedZooKeeper server;
    private Scene scene;

    @BeforeEach
    void start() throws Exception {
        server = EmbeddedZooKeeper.start(folder, 0);
        scene = new Scene(server.connectString());
        scene.open().close();
    }

    @AfterEach
    void stop() throws Exception {
        scene.close();
        server.close();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"state\": \"ready\", \"state_time\": 1e18}",
                "{\"state\": \"ready\", \"state_time\": 1e999999999}",
                "{\"state\": \"ready\", \"state_time\": 1e99999999999}",
                "{\"state\": \"ready\", \"state_time\": 1, \"slot\": 1e999999999}",
                "{\"state\": \"ready\", \"state_time\": \"yesterday\"}",
                "{\"state\": \"ready\", \"state_time\": NaN}",
                "{\"state\": \"ready\", \"type\": 5}",
                "[]",
                "\u0000",
                ""
            })
    void no_record_keeps_the_others_from_being_seen(String text) throws Exception {
        scene.put("/nodepool/nodes/0000000001", text);
        scene.put("/nodepool/nodes/0000000002", GOOD);
        ZkStores late = scene.open();
        assertTrue(await(late.snapshots().next()).node("0000000002").isPresent());

        scene.put("/nodepool/nodes/0000000001", text + " ");
        scene.put("/nodepool/nodes/0000000003", GOOD);
        until(late, now -> now.node("0000000003").isPresent());
    }

    @Test
    void a_record_that_was_repaired_is_malformed_no_more() throws Exception {
        ZkStores ours = scene.open();
        scene.put("/nodepool/nodes/0000000001", "");
        Snapshot broken = until(ours, now -> !now.malformed().isEmpty());
        assertEquals("0000000001", broken.malformed().get(0).id());
        scene.put("/nodepool/nodes/0000000001", GOOD);
        Snapshot repaired = until(ours, now -> now.node("0000000001").isPresent());
        assertEquals(java.util.List.of(), repaired.malformed());
    }

    @ParameterizedTest
    @ValueSource(strings = {"/np", "/ci/np"})
    void a_chroot_that_does_not_exist_is_made(String chroot) throws Exception {
        ZkStores ours = scene.connect(server.connectString(), chroot, Duration.ofSeconds(10));
        await(ours.snapshots().next());
        scene.put(chroot + "/nodepool/nodes/0000000001", GOOD);
        until(ours, now -> now.node("0000000001").isPresent());
    }

    @Test
    void what_is_not_shown_wakes_nobody() throws Exception {
        ZkStores ours = scene.open();
        AtomicInteger wakes = new AtomicInteger();
        ours.snapshots().onChange(wakes::incrementAndGet);
        scene.put("/nodepool/requests-lock/200-0000000001", "");
        scene.put("/nodepool/elections", "");
        scene.put("/nodepool/nodes/0000000001", GOOD);
        until(ours, now -> now.node("0000000001").isPresent());
        assertEquals(1, wakes.get());
    }
}
