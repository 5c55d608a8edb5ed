package nodepool.zk;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import nodepool.api.config.ZooKeeperConfig;
import nodepool.api.node.Node;
import nodepool.api.node.NodeState;
import nodepool.api.store.LockedNode;
import nodepool.zk.embedded.EmbeddedZooKeeper;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Locks that outlive their session, against a real server. */
class LastingLockTest {

    private static final Instant NOW = Instant.ofEpochSecond(1_726_600_000);
    private static final String HOLDER = "NodePool:metastatic:slicer";

    @TempDir
    Path folder;

    private EmbeddedZooKeeper server;
    private ZkStores ours;
    private ZkStores theirs;
    private String id;

    @BeforeEach
    void connect() throws Exception {
        server = EmbeddedZooKeeper.start(folder, 0);
        ours = open();
        theirs = open();
        Node draft = Node.draft(NodeState.READY, List.of("big"), Node.Place.NONE, Node.Machine.NONE, NOW);
        id = await(ours.nodes().create(draft)).id();
    }

    @AfterEach
    void close() {
        ours.close();
        theirs.close();
        server.close();
    }

    @Test
    void it_outlives_its_session_and_is_taken_up_under_the_same_name_only() {
        assertTrue(await(ours.nodes().tryLockLasting(id, HOLDER)).isPresent());
        ours.close();

        assertTrue(await(theirs.nodes().tryLock(id)).isEmpty());
        assertTrue(await(theirs.nodes().tryLockLasting(id, HOLDER)).isEmpty());
        assertTrue(await(theirs.nodes().resumeLasting(id, "NodePool:metastatic:other"))
                .isEmpty());
        assertTrue(await(theirs.nodes().resumeLasting(id, HOLDER)).isPresent());
    }

    @Test
    void a_lock_of_a_session_is_not_taken_up() {
        assertTrue(await(ours.nodes().tryLock(id)).isPresent());

        assertTrue(await(theirs.nodes().resumeLasting(id, "")).isEmpty());
        assertTrue(await(theirs.nodes().tryLockLasting(id, HOLDER)).isEmpty());
    }

    @Test
    void whoever_has_taken_it_up_can_end_it() {
        assertTrue(await(ours.nodes().tryLockLasting(id, HOLDER)).isPresent());
        LockedNode resumed = await(theirs.nodes().resumeLasting(id, HOLDER)).orElseThrow();

        assertTrue(await(theirs.nodes().finish(resumed.with(resumed.node().withState(NodeState.USED, NOW)))));

        assertEquals(
                NodeState.USED,
                await(ours.nodes().tryLock(id)).orElseThrow().node().state());
    }

    @Test
    void of_two_writers_that_saw_the_same_only_one_succeeds() {
        LockedNode one = await(ours.nodes().tryLockLasting(id, HOLDER)).orElseThrow();
        LockedNode two = await(theirs.nodes().resumeLasting(id, HOLDER)).orElseThrow();

        LockedNode written = await(
                        ours.nodes().writeIfUnchanged(one.with(one.node().withState(NodeState.IN_USE, NOW))))
                .orElseThrow();

        assertFalse(await(theirs.nodes().writeIfUnchanged(two.with(two.node().withState(NodeState.USED, NOW))))
                .isPresent());
        assertTrue(await(ours.nodes().writeIfUnchanged(written)).isPresent());
        assertEquals(
                NodeState.IN_USE, await(theirs.nodes().read(id)).orElseThrow().state());
    }

    private ZkStores open() {
        ZkStores stores = new ZkStores(
                new ZooKeeperConfig(List.of(server.connectString()), "", Duration.ofSeconds(10), Optional.empty()));
        await(stores.snapshots().next());
        return stores;
    }

    private static <T> T await(CompletionStage<T> stage) {
        return stage.toCompletableFuture().orTimeout(30, TimeUnit.SECONDS).join();
    }
}
