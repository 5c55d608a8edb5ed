package nodepool.zk;

import static nodepool.zk.Scene.MEMO;
import static nodepool.zk.Scene.NOW;
import static nodepool.zk.Scene.await;
import static nodepool.zk.Scene.until;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import nodepool.api.node.Node;
import nodepool.api.node.NodeState;
import nodepool.api.registry.Registration;
import nodepool.api.request.NodeRequest;
import nodepool.api.request.RequestState;
import nodepool.api.store.LockedNode;
import nodepool.api.store.RequestStore.Claim;
import nodepool.zk.CuttingProxy.Cut;
import nodepool.zk.embedded.EmbeddedZooKeeper;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The connection breaks in the middle of an operation, before or after the server has done it; the session goes on. */
class BrokenConnectionTest {

    @TempDir
    Path folder;

    private EmbeddedZooKeeper server;
    private CuttingProxy proxy;
    private Scene scene;
    private ZkStores ours;
    private ZkStores theirs;

    @BeforeEach
    void start() throws Exception {
        server = EmbeddedZooKeeper.start(folder, 0);
        proxy = new CuttingProxy(server.port());
        scene = new Scene(server.connectString());
        theirs = scene.open();
        ours = scene.connect(proxy.address(), "", Duration.ofSeconds(10));
        await(ours.snapshots().next());
    }

    @AfterEach
    void stop() throws Exception {
        scene.close();
        proxy.close();
        server.close();
    }

    /** Does something whose packet holds the marker, with the connection cut there. */
    private <T> T broken(Cut when, String marker, java.util.function.Supplier<CompletionStage<T>> operation) {
        CompletableFuture<Void> cut = proxy.cut(when, marker);
        T result = await(operation.get());
        assertTrue(cut.isDone(), "the connection was not cut");
        return result;
    }

    private NodeRequest request() {
        NodeRequest request = scene.request(theirs);
        until(ours, now -> now.request(request.id()).isPresent());
        return request;
    }

    @ParameterizedTest
    @EnumSource(Cut.class)
    void a_claim_takes_the_request_once(Cut when) throws Exception {
        NodeRequest request = request();
        Claim claim = broken(when, "__lock__", () -> Scene.claim(ours, request)).orElseThrow();

        assertEquals(1, scene.children("/nodepool/nodes").size());
        assertEquals(
                1, scene.children("/nodepool/requests-lock/" + request.id()).size());
        assertTrue(claim.request().lock().isHeld());
        Node stored = await(theirs.nodes().read(claim.nodes().get(0).id())).orElseThrow();
        assertEquals(request.id(), stored.allocation().allocatedTo().orElseThrow());
        assertEquals(
                stored.stored().transaction(), claim.nodes().get(0).stored().transaction());
        NodeRequest now = await(theirs.requests().read(request.id())).orElseThrow();
        assertEquals(RequestState.PENDING, now.state());
        assertEquals(
                now.stored().transaction(), claim.request().request().stored().transaction());
    }

    @ParameterizedTest
    @EnumSource(Cut.class)
    void a_new_node_is_locked_once(Cut when) throws Exception {
        Claim claim = await(Scene.claim(ours, request())).orElseThrow();
        LockedNode node =
                broken(when, "__lock__", () -> Scene.lockNew(ours, claim)).orElseThrow();

        assertEquals(
                1,
                scene.children("/nodepool/nodes/" + node.node().id() + "/lock").size());
        assertTrue(node.lock().isHeld());
        assertEquals(Optional.of(MEMO), await(theirs.nodes().recall(node.node().id())));
        assertTrue(await(Scene.fulfil(ours, claim, node)));
    }

    @ParameterizedTest
    @EnumSource(Cut.class)
    void more_nodes_are_recorded_once(Cut when) throws Exception {
        Claim claim = await(Scene.claim(ours, request())).orElseThrow();
        Node draft = Scene.draft(claim.request().request());
        List<Node> made = broken(
                when, "\"allocated_to\"", () -> ours.requests().createNodes(claim.request(), List.of(draft, draft)));

        assertEquals(2, made.size());
        assertEquals(3, scene.children("/nodepool/nodes").size());
        for (Node node : made) {
            assertTrue(await(theirs.nodes().read(node.id())).isPresent());
        }
    }

    @ParameterizedTest
    @EnumSource(Cut.class)
    void a_fulfilled_request_is_told_as_fulfilled(Cut when) throws Exception {
        Claim claim = await(Scene.claim(ours, request())).orElseThrow();
        LockedNode node = await(Scene.lockNew(ours, claim)).orElseThrow();
        assertTrue(broken(when, "fulfilled", () -> Scene.fulfil(ours, claim, node)));

        assertEquals(
                RequestState.FULFILLED,
                await(theirs.requests().read(claim.request().request().id()))
                        .orElseThrow()
                        .state());
        assertTrue(await(theirs.nodes().tryLock(node.node().id())).isPresent());
    }

    @ParameterizedTest
    @EnumSource(Cut.class)
    void a_node_is_written_with_its_memory(Cut when) throws Exception {
        Claim claim = await(Scene.claim(ours, request())).orElseThrow();
        LockedNode node = await(Scene.lockNew(ours, claim)).orElseThrow();
        var next = MEMO.after(Map.of("server", "made"), Optional.of("x-1"));
        LockedNode written = broken(
                        when,
                        "x-1",
                        () -> ours.nodes().write(node.with(node.node().withState(NodeState.TESTING, NOW)), next))
                .orElseThrow();

        Node stored = await(theirs.nodes().read(node.node().id())).orElseThrow();
        assertEquals(NodeState.TESTING, stored.state());
        assertEquals(stored.stored().transaction(), written.node().stored().transaction());
        assertEquals(Optional.of(next), await(theirs.nodes().recall(node.node().id())));
        assertTrue(written.lock().isHeld());
    }

    @ParameterizedTest
    @EnumSource(Cut.class)
    void a_node_is_removed_once(Cut when) throws Exception {
        Claim claim = await(Scene.claim(ours, request())).orElseThrow();
        LockedNode node = await(Scene.lockNew(ours, claim)).orElseThrow();
        broken(when, Paths.nodeLock(node.node().id()), () -> ours.nodes().remove(node));

        assertEquals(List.of(), scene.children("/nodepool/nodes"));
        assertEquals(List.of(), scene.children("/nodepool-annex/nodes"));
    }

    @ParameterizedTest
    @EnumSource(Cut.class)
    void a_node_is_locked_and_unlocked_once(Cut when) throws Exception {
        Node node = await(theirs.nodes()
                .create(Node.draft(
                        NodeState.READY, List.of("small"), Node.Place.in("p", "main"), Node.Machine.NONE, NOW)));
        LockedNode locked =
                broken(when, "__lock__", () -> ours.nodes().tryLock(node.id())).orElseThrow();
        assertEquals(1, scene.children("/nodepool/nodes/" + node.id() + "/lock").size());
        broken(when, "__lock__", () -> ours.nodes().unlock(locked.lock()));
        assertEquals(0, scene.children("/nodepool/nodes/" + node.id() + "/lock").size());
    }

    @ParameterizedTest
    @EnumSource(Cut.class)
    void a_request_is_made_once_and_removed_once(Cut when) throws Exception {
        NodeRequest draft =
                NodeRequest.draft(NodeRequest.Wanted.of(List.of("small")), NodeRequest.Asker.named("spare"), NOW);
        NodeRequest made = broken(when, "spare", () -> ours.requests().create(draft, "900", true));
        assertEquals(List.of(made.id()), scene.children("/nodepool/requests"));
        assertTrue(broken(when, made.id(), () -> ours.requests().delete(made.id())));
        assertEquals(List.of(), scene.children("/nodepool/requests"));
    }

    @ParameterizedTest
    @EnumSource(Cut.class)
    void a_component_is_registered_once(Cut when) throws Exception {
        Registration registration =
                new Registration("host", Registration.Kind.LAUNCHER, 0, "running", Optional.empty(), Optional.empty());
        broken(when, "components/launcher/host", () -> ours.components().register(registration));
        until(theirs, now -> now.components().size() == 1);
        assertEquals(1, scene.children("/nodepool/components/launcher").size());
    }

    @Test
    void what_was_missed_is_seen_afterwards_and_the_locks_are_kept() throws Exception {
        Claim claim = await(Scene.claim(ours, request())).orElseThrow();
        CompletableFuture<Void> away = new CompletableFuture<>();
        ours.snapshots().onChange(() -> {
            if (ours.snapshots().current().isEmpty()) {
                away.complete(null);
            }
        });
        proxy.drop();
        await(away);
        String other = scene.request(theirs).id();
        until(ours, now -> now.request(other).isPresent());
        assertTrue(claim.request().lock().isHeld());
    }

    @Test
    void every_change_is_read_once_however_often_the_connection_broke() throws Exception {
        for (int i = 0; i < 4; i++) {
            CompletableFuture<Void> away = new CompletableFuture<>();
            var subscription = ours.snapshots().onChange(() -> {
                if (ours.snapshots().current().isEmpty()) {
                    away.complete(null);
                }
            });
            proxy.drop();
            await(away);
            subscription.close();
            await(ours.snapshots().next());
        }
        long before = proxy.packets();
        String id = scene.request(theirs).id();
        until(ours, now -> now.request(id).isPresent());
        String next = scene.request(theirs).id();
        until(ours, now -> now.request(next).isPresent());
        assertTrue(proxy.packets() - before <= 3, proxy.packets() - before + " packets for two changes");
    }

    @Test
    void an_idle_connection_asks_for_nothing() throws Exception {
        // The last answer of the walk may still be on its way: one more round trip, then count.
        await(ours.requests().read("200-0000000001"));
        long transactions = server.lastTransaction();
        long before = proxy.packets();
        CompletableFuture.runAsync(
                        () -> {}, CompletableFuture.delayedExecutor(2, java.util.concurrent.TimeUnit.SECONDS))
                .join();
        assertEquals(0, proxy.packets() - before);
        assertEquals(transactions, server.lastTransaction());
    }
}
