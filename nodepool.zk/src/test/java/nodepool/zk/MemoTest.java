package nodepool.zk;

import static nodepool.zk.Scene.MEMO;
import static nodepool.zk.Scene.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import nodepool.api.node.NodeState;
import nodepool.api.store.LockedNode;
import nodepool.api.store.NodeMemo;
import nodepool.zk.embedded.EmbeddedZooKeeper;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A launch's memory, when another process takes the node over. */
class MemoTest {

    private static final NodeMemo NEXT = MEMO.after(Map.of("server", "made"), Optional.of("x-1"));

    @TempDir
    Path folder;

    private EmbeddedZooKeeper server;
    private Scene scene;
    private ZkStores successor;
    private LockedNode taken;

    @BeforeEach
    void a_launcher_dies_and_another_takes_its_node() throws Exception {
        server = EmbeddedZooKeeper.start(folder, 0);
        scene = new Scene(server.connectString());
        ZkStores dead = scene.open();
        String id = await(Scene.lockNew(
                        dead, await(Scene.claim(dead, scene.request(dead))).orElseThrow()))
                .orElseThrow()
                .node()
                .id();
        dead.close();
        successor = scene.open();
        taken = await(successor.nodes().tryLock(id)).orElseThrow();
    }

    @AfterEach
    void stop() throws Exception {
        scene.close();
        server.close();
    }

    @Test
    void its_first_write_replaces_the_memory() {
        LockedNode changed = taken.with(taken.node().withState(NodeState.DELETING, Scene.NOW));
        assertTrue(await(successor.nodes().write(changed, NEXT)).isPresent());
        assertEquals(
                Optional.of(NEXT), await(successor.nodes().recall(taken.node().id())));
    }

    @Test
    void it_can_remember_at_once() {
        await(successor.nodes().remember(taken, NEXT));
        assertEquals(
                Optional.of(NEXT), await(successor.nodes().recall(taken.node().id())));
    }

    @Test
    void removing_the_node_removes_a_memory_that_is_not_its_own() throws Exception {
        await(successor.nodes().remove(taken));
        assertFalse(scene.exists("/nodepool/nodes/" + taken.node().id()));
        assertFalse(scene.exists("/nodepool-annex/nodes/" + taken.node().id()));
    }

    @Test
    void a_memory_that_somebody_swept_does_not_make_the_node_look_gone() throws Exception {
        await(successor.nodes().remember(taken, NEXT));
        scene.delete("/nodepool-annex/nodes/" + taken.node().id());
        assertTrue(await(successor.nodes().write(taken, NEXT)).isPresent());
        assertEquals(
                Optional.of(NEXT), await(successor.nodes().recall(taken.node().id())));
    }

    @Test
    void a_memory_that_cannot_be_read_is_no_memory() throws Exception {
        scene.put("/nodepool-annex/nodes/" + taken.node().id(), "{\"phase\": \"DANCE\"}");
        assertEquals(
                Optional.empty(), await(successor.nodes().recall(taken.node().id())));
    }

    @Test
    void a_new_node_whose_lock_directory_somebody_made_can_be_locked() throws Exception {
        var claim = await(Scene.claim(successor, scene.request(successor))).orElseThrow();
        scene.put("/nodepool/nodes/" + claim.nodes().get(0).id() + "/lock", "");
        LockedNode locked = await(Scene.lockNew(successor, claim)).orElseThrow();
        assertEquals(NodeState.BUILDING, locked.node().state());
        assertEquals(
                Optional.of(MEMO), await(successor.nodes().recall(locked.node().id())));
    }
}
