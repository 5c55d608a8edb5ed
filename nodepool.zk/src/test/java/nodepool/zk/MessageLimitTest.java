package nodepool.zk;

import static nodepool.zk.Scene.NOW;
import static nodepool.zk.Scene.await;
import static nodepool.zk.Scene.until;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import nodepool.api.json.JsonValue;
import nodepool.api.node.Node;
import nodepool.api.node.NodeState;
import nodepool.api.store.LockedNode;
import nodepool.api.store.LockedRequest;
import nodepool.api.store.Snapshot;
import nodepool.zk.embedded.EmbeddedZooKeeper;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Documents that are too great for a message: never sent, for they would break the connection, and never understood. */
class MessageLimitTest {

    /** About what a server takes at most. */
    private static final int GREATEST = 1_048_000;

    @TempDir
    Path folder;

    private EmbeddedZooKeeper server;
    private Scene scene;
    private ZkStores ours;

    @BeforeEach
    void start() throws Exception {
        server = EmbeddedZooKeeper.start(folder, 0);
        scene = new Scene(server.connectString());
        ours = scene.open();
    }

    @AfterEach
    void stop() throws Exception {
        scene.close();
        server.close();
    }

    private static Node node(int bytes) {
        Node small = Node.draft(NodeState.READY, List.of("small"), Node.Place.NONE, Node.Machine.NONE, NOW);
        return small.withUse(new Node.Use(
                Optional.empty(),
                JsonValue.of("x".repeat(bytes)),
                Optional.empty(),
                small.use().holdExpiration()));
    }

    private static String refusal(CompletionStage<?> call) {
        Throwable why =
                assertThrows(CompletionException.class, () -> await(call)).getCause();
        return assertInstanceOf(IllegalArgumentException.class, why).getMessage();
    }

    @Test
    void a_document_that_is_too_great_is_refused_before_it_is_sent() {
        String why = refusal(ours.nodes().create(node(1_100_000)));
        assertTrue(why.startsWith("/nodepool/nodes/: a document of 110"), why);

        LockedNode locked = await(ours.nodes()
                        .tryLock(await(ours.nodes().create(node(10))).id()))
                .orElseThrow();
        assertTrue(refusal(ours.nodes()
                        .write(locked.with(node(1_100_000).withId(locked.node().id()))))
                .startsWith("/nodepool/nodes/" + locked.node().id() + ": a document of 110"));
        assertTrue(locked.lock().isHeld());
        await(ours.nodes().unlock(locked.lock()));
    }

    @Test
    void documents_that_are_too_great_together_are_refused() {
        LockedRequest request =
                await(ours.requests().tryLock(scene.request(ours).id())).orElseThrow();
        String why =
                refusal(ours.requests().createNodes(request, List.of(node(400_000), node(400_000), node(400_000))));
        assertTrue(why.contains("and 2 more"), why);
        assertEquals(
                1,
                await(ours.requests().createNodes(request, List.of(node(400_000))))
                        .size());
    }

    @Test
    void a_huge_document_of_others_is_named_and_the_rest_is_read() throws Exception {
        scene.put("/nodepool/nodes/0000000001", "x".repeat(GREATEST));
        scene.put("/nodepool/nodes/0000000002", "{\"state\": \"ready\", \"state_time\": 1.5, \"type\": [\"small\"]}");
        Snapshot live = until(ours, now -> now.node("0000000002").isPresent());
        assertEquals(1, live.malformed().size());

        Snapshot read = await(scene.open().snapshots().next());
        assertEquals("/nodepool/nodes/0000000001", read.malformed().get(0).path());
        assertTrue(read.malformed().get(0).problem().contains(GREATEST + " bytes"));
        assertTrue(read.node("0000000002").isPresent());
    }
}
