package nodepool.zk;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import nodepool.api.json.JsonValue.JsonObject;
import nodepool.api.json.Stored;
import nodepool.api.node.Node;
import nodepool.api.node.NodeState;
import nodepool.api.store.HeldLock;
import nodepool.api.store.LockedNode;
import nodepool.api.store.NodeMemo;
import nodepool.api.store.NodeStore;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.Op;
import org.apache.zookeeper.OpResult;
import org.apache.zookeeper.ZooKeeper;

/** Nodes in ZooKeeper, and the memories of their launches beside them. */
final class ZkNodeStore implements NodeStore {

    private static final int REMOVAL_TRIES = 3;

    private final Session session;
    private final LiveTree tree;
    /** Nodes of which this process has stored a memory, so that it need not look whether there is one. */
    private final Set<String> remembered = ConcurrentHashMap.newKeySet();

    ZkNodeStore(Session session, LiveTree tree) {
        this.session = session;
        this.tree = tree;
    }

    @Override
    public CompletionStage<Node> create(Node draft) {
        return Async.call(() -> {
            JsonObject document = Documents.write(draft);
            return session.create(
                            session.handle(),
                            Paths.NODES + "/",
                            JsonText.write(document),
                            CreateMode.PERSISTENT_SEQUENTIAL)
                    .thenApply(path ->
                            draft.withId(Paths.last(path)).withStored(new Stored(document, 0, -1, Optional.empty())));
        });
    }

    /** That the lock's directory did not exist before this transaction makes our contender the first. */
    @Override
    public CompletionStage<Optional<LockedNode>> lockNew(Node building, NodeMemo memo) {
        return Async.call(() -> {
            ZooKeeper zk = session.handle();
            String id = building.id();
            JsonObject document = Documents.write(building);
            List<Op> ops = List.of(
                    Writes.directory(Paths.nodeLock(id)),
                    Writes.contender(Paths.nodeLock(id)),
                    Writes.set(Paths.node(id), document),
                    Writes.create(Paths.memo(id), JsonText.write(Documents.write(memo)), CreateMode.PERSISTENT));
            return Writes.unless(
                    session.multi(zk, ops).thenApply(results -> {
                        remembered.add(id);
                        ZkLock lock = new ZkLock(session, zk, id, Writes.created(results.get(1)));
                        return Optional.of(written(building, lock, document, results.get(2)));
                    }),
                    List.of(Code.NODEEXISTS, Code.NONODE),
                    Optional::empty);
        });
    }

    private LockedNode written(Node node, HeldLock lock, JsonObject document, OpResult result) {
        tree.put(
                Paths.node(node.id()),
                new Session.Found(JsonText.write(document), ((OpResult.SetDataResult) result).getStat()));
        return new LockedNode(node.withStored(Writes.stored(document, result, node.stored())), lock);
    }

    @Override
    public CompletionStage<Optional<LockedNode>> tryLock(String id) {
        return Async.call(() -> {
            ZooKeeper zk = session.handle();
            CompletableFuture<Void> directory =
                    tree.current().filter(now -> now.isLocked(id)).isPresent()
                            ? CompletableFuture.completedFuture(null)
                            : session.ensure(zk, List.of(Paths.nodeLock(id)));
            return Writes.unless(
                            directory.thenCompose(done -> ZkLock.tryTake(session, zk, Paths.nodeLock(id), id)),
                            List.of(Code.NONODE),
                            Optional::empty)
                    .thenCompose(taken -> taken.isEmpty()
                            ? CompletableFuture.completedFuture(Optional.empty())
                            : readUnder(taken.get()));
        });
    }

    @Override
    public CompletionStage<Optional<LockedNode>> tryLockLasting(String id, String holder) {
        return Async.call(() -> {
            ZooKeeper zk = session.handle();
            return ZkLock.tryTakeLasting(session, zk, Paths.nodeLock(id), id, holder)
                    .thenCompose(taken -> taken.isEmpty()
                            ? CompletableFuture.completedFuture(Optional.empty())
                            : readUnder(taken.get()));
        });
    }

    @Override
    public CompletionStage<Optional<LockedNode>> resumeLasting(String id, String holder) {
        return Async.call(() -> {
            ZooKeeper zk = session.handle();
            return ZkLock.resumeLasting(session, zk, Paths.nodeLock(id), id, holder)
                    .thenCompose(held -> held.isEmpty()
                            ? CompletableFuture.completedFuture(Optional.empty())
                            : session.get(zk, Paths.node(id))
                                    .thenApply(found -> found.flatMap(data -> parse(id, data))
                                            .map(node -> new LockedNode(node, held.get()))));
        });
    }

    @Override
    public CompletionStage<Optional<LockedNode>> writeIfUnchanged(LockedNode node) {
        return Async.call(() -> {
            JsonObject document = Documents.write(node.node());
            Op write = Op.setData(
                    Paths.node(node.node().id()),
                    JsonText.write(document),
                    node.node().stored().version());
            CompletableFuture<Optional<LockedNode>> written = session.multi(
                            Writes.lock(node.lock()).zk(), List.of(write))
                    .thenApply(results -> Optional.of(written(node.node(), node.lock(), document, results.get(0))));
            return Writes.unless(written, List.of(Code.BADVERSION, Code.NONODE), Optional::empty);
        });
    }

    private CompletableFuture<Optional<LockedNode>> readUnder(ZkLock lock) {
        return session.get(lock.zk(), Paths.node(lock.id())).thenCompose(found -> {
            boolean empty = found.filter(data -> data.data().length > 0).isEmpty();
            Optional<Node> node = found.flatMap(data -> parse(lock.id(), data));
            if (empty || node.filter(half -> half.state() == NodeState.DELETED).isPresent()) {
                return recursively(lock, REMOVAL_TRIES).thenApply(done -> Optional.empty());
            }
            return node.isPresent()
                    ? CompletableFuture.completedFuture(Optional.of(new LockedNode(node.get(), lock)))
                    : lock.release().thenApply(done -> Optional.empty());
        });
    }

    private static Optional<Node> parse(String id, Session.Found found) {
        try {
            return Optional.of(Documents.node(id, LiveTree.stored(found)));
        } catch (MalformedDocumentException e) {
            return Optional.empty();
        }
    }

    @Override
    public CompletionStage<Optional<LockedNode>> write(LockedNode node) {
        return write(node, List.of());
    }

    @Override
    public CompletionStage<Optional<LockedNode>> write(LockedNode node, NodeMemo memo) {
        Op remember = remember(node.node().id(), memo);
        return write(node, List.of(remember));
    }

    private Op remember(String id, NodeMemo memo) {
        byte[] data = JsonText.write(Documents.write(memo));
        return remembered.add(id)
                ? Writes.create(Paths.memo(id), data, CreateMode.PERSISTENT)
                : Op.setData(Paths.memo(id), data, -1);
    }

    private CompletableFuture<Optional<LockedNode>> write(LockedNode node, List<Op> more) {
        return Async.call(() -> {
            JsonObject document = Documents.write(node.node());
            List<Op> ops = new ArrayList<>();
            ops.add(Writes.set(Paths.node(node.node().id()), document));
            ops.addAll(more);
            CompletableFuture<Optional<LockedNode>> write = session.multi(
                            Writes.lock(node.lock()).zk(), ops)
                    .thenApply(results -> Optional.of(written(node.node(), node.lock(), document, results.get(0))));
            // Another process has kept a memory of this node before: ours is not needed to go on.
            return Writes.orElse(
                    Writes.unless(write, List.of(Code.NONODE), Optional::empty),
                    List.of(Code.NODEEXISTS),
                    () -> write(node, List.of()));
        });
    }

    @Override
    public CompletionStage<Void> remember(LockedNode node, NodeMemo memo) {
        return Async.call(() -> session.multi(
                        Writes.lock(node.lock()).zk(),
                        List.of(remember(node.node().id(), memo)))
                .thenApply(Async::ignore));
    }

    @Override
    public CompletionStage<Optional<NodeMemo>> recall(String id) {
        return Async.call(() -> session.get(session.handle(), Paths.memo(id))
                .thenApply(found -> found.flatMap(data -> {
                    try {
                        return Optional.of(Documents.memo(JsonText.readObject(data.data())));
                    } catch (MalformedDocumentException e) {
                        return Optional.empty();
                    }
                })));
    }

    @Override
    public CompletionStage<Boolean> finish(LockedNode node) {
        return Async.call(() -> {
            ZkLock lock = Writes.lock(node.lock());
            JsonObject document = Documents.write(node.node());
            List<Op> ops = List.of(Writes.set(Paths.node(node.node().id()), document), Op.delete(lock.contender(), -1));
            return Writes.unless(
                    session.multi(lock.zk(), ops).thenApply(results -> {
                        lock.markReleased();
                        written(node.node(), lock, document, results.get(0));
                        return true;
                    }),
                    List.of(Code.NONODE),
                    () -> false);
        });
    }

    @Override
    public CompletionStage<Void> unlock(HeldLock lock) {
        return Writes.lock(lock).release();
    }

    @Override
    public CompletionStage<Void> remove(LockedNode node) {
        return Async.call(() -> {
            ZkLock lock = Writes.lock(node.lock());
            String id = node.node().id();
            List<Op> ops = new ArrayList<>();
            ops.add(Op.delete(lock.contender(), -1));
            ops.add(Op.delete(Paths.nodeLock(id), -1));
            ops.add(Op.delete(Paths.node(id), -1));
            if (remembered.remove(id)) {
                ops.add(Op.delete(Paths.memo(id), -1));
            }
            CompletableFuture<Boolean> atOnce = session.multi(lock.zk(), ops).thenApply(results -> {
                lock.markReleased();
                return true;
            });
            return Writes.unless(atOnce, List.of(Code.NOTEMPTY, Code.NONODE), () -> false)
                    .thenCompose(done ->
                            done ? CompletableFuture.completedFuture(Async.nothing()) : markAndRemove(node, lock));
        });
    }

    /** Someone stands in the lock's queue: whoever gets the lock now must see that the node is no more. */
    private CompletableFuture<Void> markAndRemove(LockedNode node, ZkLock lock) {
        JsonObject document = Documents.write(
                node.node().withState(NodeState.DELETED, node.node().stateTime()));
        return Writes.unless(
                        session.multi(
                                        lock.zk(),
                                        List.of(Writes.set(
                                                Paths.node(node.node().id()), document)))
                                .thenApply(Async::ignore),
                        List.of(Code.NONODE),
                        Async::nothing)
                .thenCompose(done -> recursively(lock, REMOVAL_TRIES));
    }

    private CompletableFuture<Void> recursively(ZkLock lock, int tries) {
        String id = lock.id();
        ZooKeeper zk = lock.zk();
        return lock.release()
                .thenCompose(done -> gone(zk, Paths.nodeLock(id)))
                .thenCompose(done -> gone(zk, Paths.node(id)))
                .thenCompose(gone -> gone || tries <= 1
                        ? gone(zk, Paths.memo(id)).thenApply(Async::ignore)
                        : recursively(lock, tries - 1));
    }

    private CompletableFuture<Boolean> gone(ZooKeeper zk, String path) {
        return Writes.unless(
                Writes.unless(session.delete(zk, path).thenApply(done -> true), List.of(Code.NONODE), () -> true),
                List.of(Code.NOTEMPTY),
                () -> false);
    }

    @Override
    public CompletionStage<Void> removeEmpty(String id) {
        return Async.call(() -> {
            ZooKeeper zk = session.handle();
            return session.get(zk, Paths.node(id))
                    .thenCompose(found ->
                            found.filter(data -> data.data().length == 0).isPresent()
                                    ? gone(zk, Paths.nodeLock(id))
                                            .thenCompose(done -> gone(zk, Paths.node(id)))
                                            .thenApply(Async::ignore)
                                    : CompletableFuture.completedFuture(Async.nothing()));
        });
    }

    @Override
    public CompletionStage<Optional<Node>> read(String id) {
        return Async.call(() -> session.get(session.handle(), Paths.node(id))
                .thenApply(found -> found.flatMap(data -> parse(id, data))));
    }
}
