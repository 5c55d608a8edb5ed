package nodepool.zk;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import nodepool.api.config.ZooKeeperConfig;
import nodepool.api.node.Node;
import nodepool.api.node.NodeState;
import nodepool.api.registry.Registration;
import nodepool.api.request.NodeRequest;
import nodepool.api.request.RequestState;
import nodepool.api.store.LockedNode;
import nodepool.api.store.LockedRequest;
import nodepool.api.store.NodeMemo;
import nodepool.api.store.RequestStore.Claim;
import nodepool.api.store.SessionLostException;
import nodepool.api.store.Snapshot;
import nodepool.api.store.SnapshotSource.Subscription;
import nodepool.api.store.Stores;
import nodepool.zk.embedded.EmbeddedZooKeeper;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The stores against a real server. */
class ZkStoresTest {

    private static final Instant NOW = Instant.ofEpochSecond(1_726_600_000);
    private static final NodeMemo MEMO = new NodeMemo(NodeMemo.Phase.CREATE, 1, NOW, Optional.empty(), Map.of());

    @TempDir
    Path folder;

    private EmbeddedZooKeeper server;
    private ZkStores ours;
    private ZkStores theirs;

    @BeforeEach
    void connect() throws Exception {
        server = EmbeddedZooKeeper.start(folder, 0);
        ours = open();
        theirs = open();
    }

    @AfterEach
    void close() {
        ours.close();
        theirs.close();
        server.close();
    }

    private ZkStores open() {
        ZkStores stores = new ZkStores(
                new ZooKeeperConfig(List.of(server.connectString()), "", Duration.ofSeconds(10), Optional.empty()));
        await(stores.snapshots().next());
        return stores;
    }

    @Test
    void a_claimed_request_is_pending_and_its_nodes_are_recorded() {
        Claim claim = claim(ours, request()).orElseThrow();
        String node = claim.nodes().get(0).id();

        Snapshot seen = until(theirs, now -> now.node(node).isPresent());
        assertEquals(
                RequestState.PENDING,
                seen.request(claim.request().request().id()).orElseThrow().state());
        assertEquals(NodeState.INIT, seen.node(node).orElseThrow().state());
        assertFalse(seen.isLocked(node));
    }

    @Test
    void two_sessions_that_claim_the_same_request_do_not_both_get_it() {
        NodeRequest request = request();
        CompletionStage<Optional<Claim>> one =
                ours.requests().claim(request, pending(request), List.of(draft(request)));
        CompletionStage<Optional<Claim>> two =
                theirs.requests().claim(request, pending(request), List.of(draft(request)));

        assertEquals(1, (await(one).isPresent() ? 1 : 0) + (await(two).isPresent() ? 1 : 0));
        assertEquals(1, until(ours, now -> !now.nodes().isEmpty()).nodes().size());
    }

    @Test
    void a_claim_on_a_request_that_has_changed_gets_nothing() {
        NodeRequest seen = request();
        LockedRequest locked = await(theirs.requests().tryLock(seen.id())).orElseThrow();
        await(theirs.requests().finish(locked, List.of()));

        assertTrue(claim(ours, seen).isEmpty());
        assertTrue(await(ours.requests().tryLock(seen.id())).isPresent(), "the lock was not given back");
    }

    @Test
    void a_locked_node_cannot_be_locked_again_until_it_is_released() {
        Claim claim = claim(ours, request()).orElseThrow();
        LockedNode node = lockNew(claim);

        assertTrue(await(theirs.nodes().tryLock(node.node().id())).isEmpty());
        await(ours.nodes().unlock(node.lock()));
        assertTrue(await(theirs.nodes().tryLock(node.node().id())).isPresent());
    }

    @Test
    void fulfilling_unlocks_everything_and_names_the_nodes() {
        Claim claim = claim(ours, request()).orElseThrow();
        LockedNode node = lockNew(claim);
        fulfil(claim, node);

        Snapshot seen = until(
                theirs,
                now -> now.requests().stream().anyMatch(one -> one.state().isFinal()));
        assertEquals(List.of(node.node().id()), seen.requests().get(0).nodes());
        assertFalse(until(theirs, now -> !now.isLocked(node.node().id()))
                .isLocked(node.node().id()));
        assertTrue(await(theirs.nodes().tryLock(node.node().id())).isPresent());
    }

    @Test
    void finishing_a_request_that_its_requestor_has_removed_does_nothing() {
        Claim claim = claim(ours, request()).orElseThrow();
        LockedNode node = lockNew(claim);
        await(theirs.requests().delete(claim.request().request().id()));

        assertFalse(fulfil(claim, node));
        assertEquals(
                NodeState.BUILDING,
                await(theirs.nodes().read(node.node().id())).orElseThrow().state());
        assertTrue(node.lock().isHeld());
    }

    @Test
    void a_removed_node_leaves_nothing_behind() {
        Claim claim = claim(ours, request()).orElseThrow();
        LockedNode node = lockNew(claim);
        await(ours.nodes().remove(node));

        assertTrue(await(theirs.nodes().read(node.node().id())).isEmpty());
        assertTrue(await(theirs.nodes().recall(node.node().id())).isEmpty());
        until(theirs, now -> now.nodes().isEmpty());
    }

    @Test
    void a_memory_can_be_recalled_by_another_process() {
        LockedNode node = lockNew(claim(ours, request()).orElseThrow());
        NodeMemo next = MEMO.after(Map.of("server", "made"), Optional.of("x-1"));
        await(ours.nodes().remember(node, next));

        assertEquals(Optional.of(next), await(theirs.nodes().recall(node.node().id())));
    }

    @Test
    void after_its_session_a_lock_writes_nothing() {
        LockedNode node = lockNew(claim(ours, request()).orElseThrow());
        server.expire(((ZkLock) node.lock()).zk().getSessionId());
        until(theirs, now -> !now.isLocked(node.node().id()));

        LockedNode changed = node.with(node.node().withState(NodeState.READY, NOW));
        ExecutionException refused = assertThrows(
                ExecutionException.class,
                () -> ours.nodes().write(changed).toCompletableFuture().get(60, TimeUnit.SECONDS));
        assertEquals(SessionLostException.class, refused.getCause().getClass());
        assertEquals(
                NodeState.BUILDING,
                await(theirs.nodes().read(node.node().id())).orElseThrow().state());
    }

    @Test
    void a_registration_comes_back_with_the_next_session() {
        Registration.Pool pool = new Registration.Pool(
                "host-PoolWorker.p-main-1", Optional.of("main"), "p", List.of("small"), 100, false);
        await(ours.components()
                .register(new Registration(
                        "host", Registration.Kind.POOL, 0, "running", Optional.empty(), Optional.of(pool))));
        until(theirs, now -> now.components().size() == 1);
        ZkLock lock = (ZkLock) lockNew(claim(ours, request()).orElseThrow()).lock();
        server.expire(lock.zk().getSessionId());

        until(theirs, now -> now.components().isEmpty());
        until(theirs, now -> now.components().size() == 1);
    }

    @Test
    void one_node_lives_its_whole_life_in_at_most_twelve_transactions() {
        NodeRequest request = request();
        long before = server.lastTransaction();

        Claim claim = claim(ours, request).orElseThrow();
        LockedNode node = lockNew(claim);
        await(ours.nodes().write(node, MEMO.after(Map.of("server", "made"), Optional.of("x-1"))));
        fulfil(claim, node);
        LockedNode used = await(ours.nodes().tryLock(node.node().id())).orElseThrow();
        LockedNode deleting = await(ours.nodes().write(used.with(used.node().withState(NodeState.DELETING, NOW)), MEMO))
                .orElseThrow();
        await(ours.nodes().remove(deleting));
        await(ours.requests().delete(request.id()));

        long transactions = server.lastTransaction() - before;
        assertTrue(transactions <= 12, transactions + " transactions");
    }

    private NodeRequest request() {
        NodeRequest draft =
                NodeRequest.draft(NodeRequest.Wanted.of(List.of("small")), NodeRequest.Asker.named("test"), NOW);
        String id = await(theirs.requests().create(draft, "200", false)).id();
        until(theirs, now -> now.request(id).isPresent());
        return until(ours, now -> now.request(id).isPresent()).request(id).orElseThrow();
    }

    private static NodeRequest pending(NodeRequest request) {
        return request.withState(RequestState.PENDING, NOW);
    }

    private static Node draft(NodeRequest request) {
        return Node.draft(NodeState.INIT, List.of("small"), Node.Place.in("p", "main"), Node.Machine.NONE, NOW)
                .withAllocation(Node.Allocation.to(request));
    }

    private static Optional<Claim> claim(Stores stores, NodeRequest request) {
        return await(stores.requests().claim(request, pending(request), List.of(draft(request))));
    }

    private LockedNode lockNew(Claim claim) {
        return await(ours.nodes().lockNew(claim.nodes().get(0).withState(NodeState.BUILDING, NOW), MEMO))
                .orElseThrow();
    }

    private boolean fulfil(Claim claim, LockedNode node) {
        NodeRequest fulfilled =
                claim.request().request().withNodes(List.of(node.node().id())).withState(RequestState.FULFILLED, NOW);
        LockedNode ready = node.with(node.node().withState(NodeState.READY, NOW));
        return await(ours.requests().finish(claim.request().with(fulfilled), List.of(ready)));
    }

    /** The first snapshot that is as wanted. */
    private static Snapshot until(Stores stores, Predicate<Snapshot> wanted) {
        CompletableFuture<Snapshot> found = new CompletableFuture<>();
        Runnable look = () -> stores.snapshots().current().filter(wanted).ifPresent(found::complete);
        Subscription looking = stores.snapshots().onChange(look);
        try {
            look.run();
            return await(found);
        } finally {
            looking.close();
        }
    }

    private static <T> T await(CompletionStage<T> stage) {
        return stage.toCompletableFuture().orTimeout(60, TimeUnit.SECONDS).join();
    }
}
