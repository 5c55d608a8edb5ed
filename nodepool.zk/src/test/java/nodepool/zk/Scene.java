package nodepool.zk;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.function.BiPredicate;
import java.util.function.Predicate;
import nodepool.api.config.ZooKeeperConfig;
import nodepool.api.node.Node;
import nodepool.api.node.NodeState;
import nodepool.api.request.NodeRequest;
import nodepool.api.request.RequestState;
import nodepool.api.store.LockedNode;
import nodepool.api.store.NodeMemo;
import nodepool.api.store.RequestStore.Claim;
import nodepool.api.store.Snapshot;
import nodepool.api.store.SnapshotSource.Subscription;
import nodepool.api.store.Stores;
import org.apache.zookeeper.AddWatchMode;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.Watcher.Event.KeeperState;
import org.apache.zookeeper.ZooDefs.Ids;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.data.Stat;

/** A server's clients: our stores, and a plain client that does what others may do. */
final class Scene implements AutoCloseable {

    static final Instant NOW = Instant.ofEpochSecond(1_726_600_000);
    static final NodeMemo MEMO = new NodeMemo(NodeMemo.Phase.CREATE, 1, NOW, Optional.empty(), Map.of());

    private final String address;
    private final List<ZkStores> opened = new ArrayList<>();
    private final ZooKeeper plain;

    Scene(String address) throws Exception {
        this.address = address;
        CompletableFuture<Void> connected = new CompletableFuture<>();
        this.plain = new ZooKeeper(address, 10_000, event -> {
            if (event.getState() == KeeperState.SyncConnected) {
                connected.complete(null);
            }
        });
        await(connected);
    }

    ZkStores open() {
        ZkStores stores = connect(address, "", Duration.ofSeconds(10));
        await(stores.snapshots().next());
        return stores;
    }

    ZkStores connect(String through, String chroot, Duration timeout) {
        ZkStores stores = new ZkStores(new ZooKeeperConfig(List.of(through), chroot, timeout, Optional.empty()));
        opened.add(stores);
        return stores;
    }

    /** A process that takes part. */
    ZkStores join(String through, boolean registerLaunchers) {
        return join(through, registerLaunchers, Admission.asked());
    }

    ZkStores join(String through, boolean registerLaunchers, Admission admission) {
        ZooKeeperConfig config = new ZooKeeperConfig(List.of(through), "", Duration.ofSeconds(10), Optional.empty());
        ZkStores stores = new ZkStores(config, admission, registerLaunchers);
        opened.add(stores);
        return stores;
    }

    /** Waits until a znode holds that text. */
    void awaitText(String path, String text) throws Exception {
        await(path, (data, stat) -> text.equals(new String(data, StandardCharsets.UTF_8)));
    }

    /** Waits until a znode is there that goes away with another session. */
    void awaitOtherOwner(String path, long session) throws Exception {
        await(path, (data, stat) -> stat.getEphemeralOwner() != session);
    }

    private void await(String path, BiPredicate<byte[], Stat> wanted) throws Exception {
        CompletableFuture<Void> found = new CompletableFuture<>();
        Runnable look = () -> plain.getData(
                path,
                false,
                (rc, p, ctx, data, stat) -> {
                    if (data != null && wanted.test(data, stat)) {
                        found.complete(null);
                    }
                },
                null);
        plain.addWatch(path, event -> look.run(), AddWatchMode.PERSISTENT);
        look.run();
        await(found);
    }

    /** Writes as someone else would. */
    void put(String path, String text) throws Exception {
        byte[] data = text.getBytes(StandardCharsets.UTF_8);
        try {
            plain.create(path, data, Ids.OPEN_ACL_UNSAFE, CreateMode.PERSISTENT);
        } catch (KeeperException.NodeExistsException there) {
            plain.setData(path, data, -1);
        }
    }

    void delete(String path) throws Exception {
        plain.delete(path, -1);
    }

    /** Makes a directory that was not there, as somebody leaves one behind. */
    void leave(String path) throws Exception {
        put(path, "left behind");
    }

    /** The session that a znode goes away with; 0 for none. */
    long ephemeralOwner(String path) throws Exception {
        Stat stat = new Stat();
        plain.getData(path, false, stat);
        return stat.getEphemeralOwner();
    }

    boolean exists(String path) throws Exception {
        return plain.exists(path, false) != null;
    }

    List<String> children(String path) throws Exception {
        return plain.getChildren(path, false);
    }

    /** A request of somebody else, as those stores see it. */
    NodeRequest request(Stores seenBy) {
        NodeRequest draft =
                NodeRequest.draft(NodeRequest.Wanted.of(List.of("small")), NodeRequest.Asker.named("test"), NOW);
        String id = await(seenBy.requests().create(draft, "200", false)).id();
        return until(seenBy, now -> now.request(id).isPresent()).request(id).orElseThrow();
    }

    static NodeRequest pending(NodeRequest request) {
        return request.withState(RequestState.PENDING, NOW);
    }

    static Node draft(NodeRequest request) {
        return Node.draft(NodeState.INIT, List.of("small"), Node.Place.in("p", "main"), Node.Machine.NONE, NOW)
                .withAllocation(Node.Allocation.to(request));
    }

    static CompletionStage<Optional<Claim>> claim(Stores stores, NodeRequest request) {
        return stores.requests().claim(request, pending(request), List.of(draft(request)));
    }

    static CompletionStage<Optional<LockedNode>> lockNew(Stores stores, Claim claim) {
        return stores.nodes().lockNew(claim.nodes().get(0).withState(NodeState.BUILDING, NOW), MEMO);
    }

    static CompletionStage<Boolean> fulfil(Stores stores, Claim claim, LockedNode node) {
        NodeRequest fulfilled =
                claim.request().request().withNodes(List.of(node.node().id())).withState(RequestState.FULFILLED, NOW);
        LockedNode ready = node.with(node.node().withState(NodeState.READY, NOW));
        return stores.requests().finish(claim.request().with(fulfilled), List.of(ready));
    }

    /** The first snapshot that is as wanted. */
    static Snapshot until(Stores stores, Predicate<Snapshot> wanted) {
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

    static <T> T await(CompletionStage<T> stage) {
        return stage.toCompletableFuture().orTimeout(30, TimeUnit.SECONDS).join();
    }

    @Override
    public void close() {
        opened.forEach(ZkStores::close);
        try {
            plain.close();
        } catch (InterruptedException stop) {
            Thread.currentThread().interrupt();
        }
    }
}
