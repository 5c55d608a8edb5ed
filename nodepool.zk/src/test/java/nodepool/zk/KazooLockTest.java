package nodepool.zk;

import static nodepool.zk.Scene.await;
import static nodepool.zk.Scene.until;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import nodepool.api.node.Node;
import nodepool.api.node.NodeState;
import nodepool.api.request.NodeRequest;
import nodepool.api.store.HeldLock;
import nodepool.api.store.LockedNode;
import nodepool.api.store.LockedRequest;
import nodepool.api.store.RequestStore.Claim;
import nodepool.testkit.Kazoo;
import nodepool.testkit.RealPart;
import nodepool.testkit.Running;
import nodepool.zk.embedded.EmbeddedZooKeeper;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Kazoo's locks, which Zuul and the original use, and ours keep each other out. */
class KazooLockTest {

    /** Takes the lock, holds it until there is a znode {@code /go}, and lets go. */
    private static final String HOLD = """
            import threading
            go = threading.Event()
            c.DataWatch('/go', lambda data, stat: stat and go.set())
            lock = c.Lock(sys.argv[2], 'kazoo')
            print('holds', lock.acquire(timeout=60))
            go.wait(60)
            lock.release()
            print('released')
            """;

    /** Tries first. */
    private static final String TRY_THEN_HOLD = """
            print('at once', c.Lock(sys.argv[2], 'kazoo').acquire(blocking=False))
            """ + HOLD;

    private static final String TRY = """
            lock = c.Lock(sys.argv[2], 'kazoo')
            print(lock.contenders())
            print(lock.acquire(blocking=False))
            """;

    @TempDir
    Path folder;

    private EmbeddedZooKeeper server;
    private Scene scene;
    private ZkStores ours;

    @BeforeEach
    void start() throws Exception {
        RealPart.KAZOO.require();
        server = EmbeddedZooKeeper.start(folder, 0);
        scene = new Scene(server.connectString());
        ours = scene.open();
    }

    @AfterEach
    void stop() {
        if (server != null) {
            scene.close();
            server.close();
        }
    }

    /** What can be locked. */
    private enum Guarded {
        REQUEST {
            @Override
            String directory(String id) {
                return Paths.requestLock(id);
            }

            @Override
            CompletionStage<Optional<HeldLock>> tryLock(ZkStores stores, String id) {
                return stores.requests().tryLock(id).thenApply(taken -> taken.map(LockedRequest::lock));
            }
        },
        NODE {
            @Override
            String directory(String id) {
                return Paths.nodeLock(id);
            }

            @Override
            CompletionStage<Optional<HeldLock>> tryLock(ZkStores stores, String id) {
                return stores.nodes().tryLock(id).thenApply(taken -> taken.map(LockedNode::lock));
            }
        },
        BUILDS {
            @Override
            String directory(String id) {
                return Paths.builds(id) + "/lock";
            }

            @Override
            CompletionStage<Optional<HeldLock>> tryLock(ZkStores stores, String id) {
                return stores.images().tryLockBuilds(id);
            }
        };

        abstract String directory(String id);

        abstract CompletionStage<Optional<HeldLock>> tryLock(ZkStores stores, String id);
    }

    private String make(Guarded what) {
        return switch (what) {
            case REQUEST -> scene.request(ours).id();
            case NODE -> node();
            case BUILDS -> "debian";
        };
    }

    private String node() {
        Node draft = Node.draft(NodeState.READY, List.of("small"), Node.Place.NONE, Node.Machine.NONE, Scene.NOW);
        String id = await(ours.nodes().create(draft)).id();
        until(ours, now -> now.node(id).isPresent());
        return id;
    }

    private String connection() {
        return Kazoo.plain(server.connectString());
    }

    @ParameterizedTest
    @CsvSource({"REQUEST, false", "REQUEST, true", "NODE, false", "NODE, true", "BUILDS, false"})
    void who_holds_it_keeps_the_other_out_and_lets_it_in(Guarded what, boolean leftBehind) throws Exception {
        String id = make(what);
        String directory = what.directory(id);
        if (leftBehind) {
            scene.leave(directory);
        }
        HeldLock lock = await(what.tryLock(ours, id)).orElseThrow();
        try (Running kazoo = Kazoo.start(connection(), TRY_THEN_HOLD, directory)) {
            kazoo.await("at once False");
            if (what == Guarded.NODE) {
                until(ours, now -> now.contenders(id).size() == 2);
            }
            await(ours.nodes().unlock(lock));
            kazoo.await("holds True");
            assertTrue(await(what.tryLock(ours, id)).isEmpty());

            scene.put("/go", "");
            kazoo.await("released");
            assertTrue(await(what.tryLock(ours, id)).isPresent());
        }
    }

    @Test
    void whoever_waits_for_a_node_is_woken_when_kazoo_lets_go() throws Exception {
        String id = node();
        try (Running kazoo = Kazoo.start(connection(), HOLD, Paths.nodeLock(id))) {
            kazoo.await("holds True");
            until(ours, now -> now.isLocked(id));
            assertTrue(await(ours.nodes().tryLock(id)).isEmpty());
            scene.put("/go", "");
            until(ours, now -> !now.isLocked(id));
            assertTrue(await(ours.nodes().tryLock(id)).isPresent());
        }
    }

    @Test
    void our_contender_looks_like_one_of_kazoo() throws Exception {
        String id = node();
        assertTrue(await(ours.nodes().tryLock(id)).isPresent());
        List<String> contenders = scene.children(Paths.nodeLock(id));
        assertEquals(1, contenders.size());
        assertTrue(contenders.get(0).matches("[0-9a-f]{32}__lock__\\d{10}"), contenders.get(0));
        assertNotEquals(0, scene.ephemeralOwner(Paths.nodeLock(id) + "/" + contenders.get(0)));
        assertEquals(
                "['']\nFalse\n",
                Kazoo.lines(connection(), TRY, Paths.nodeLock(id)).orFail());
    }

    @Test
    void a_lasting_lock_names_its_holder_to_kazoo_and_keeps_it_out() throws Exception {
        String id = node();
        assertTrue(await(ours.nodes().tryLockLasting(id, "NodePool:metastatic:slots"))
                .isPresent());
        assertEquals(
                "['NodePool:metastatic:slots']\nFalse\n",
                Kazoo.lines(connection(), TRY, Paths.nodeLock(id)).orFail());
    }

    @ParameterizedTest
    @CsvSource({"false", "true"})
    void a_claimed_request_is_not_for_kazoo_until_it_is_finished(boolean leftBehind) throws Exception {
        NodeRequest request = scene.request(ours);
        String directory = Paths.requestLock(request.id());
        if (leftBehind) {
            scene.leave(directory);
        }
        Claim claim = await(Scene.claim(ours, request)).orElseThrow();
        LockedNode node = await(Scene.lockNew(ours, claim)).orElseThrow();
        assertEquals("['']\nFalse\n", Kazoo.lines(connection(), TRY, directory).orFail());
        assertTrue(await(Scene.fulfil(ours, claim, node)));
        assertEquals("[]\nTrue\n", Kazoo.lines(connection(), TRY, directory).orFail());
    }

    @Test
    void a_request_that_kazoo_holds_is_not_claimed() throws Exception {
        NodeRequest request = scene.request(ours);
        try (Running kazoo = Kazoo.start(connection(), HOLD, Paths.requestLock(request.id()))) {
            kazoo.await("holds True");
            assertTrue(await(Scene.claim(ours, request)).isEmpty());
            scene.put("/go", "");
            kazoo.await("released");
            assertTrue(await(Scene.claim(ours, request)).isPresent());
        }
    }

    @Test
    void who_waited_for_a_node_that_was_removed_finds_it_deleted() throws Exception {
        String id = node();
        LockedNode locked = await(ours.nodes().tryLock(id)).orElseThrow();
        try (Running kazoo = Kazoo.start(connection(), TRY_THEN_HOLD, Paths.nodeLock(id))) {
            kazoo.await("at once False");
            until(ours, now -> now.contenders(id).size() == 2);
            await(ours.nodes().remove(locked));
            kazoo.await("holds True");
            assertEquals(
                    NodeState.DELETED,
                    await(ours.nodes().read(id)).orElseThrow().state());
            scene.put("/go", "");
            kazoo.await("released");
            assertTrue(await(ours.nodes().tryLock(id)).isEmpty());
            assertFalse(scene.exists(Paths.node(id)));
        }
    }
}
