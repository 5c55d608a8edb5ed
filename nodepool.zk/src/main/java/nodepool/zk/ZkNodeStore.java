package nodepool.zk;

import java.util.ArrayList;
import java.util.Arrays;
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
import org.apache.zookeeper.data.Stat;

/** Nodes in ZooKeeper, and the memories of their launches beside them. */
final class ZkNodeStore implements NodeStore {

    private static final int REMOVAL_TRIES = 3;

    private final Definite definite;
    private final LiveTree tree;
    /** Nodes of which this process has stored a memory, so that it need not look whether there is one. */
    private final Set<String> remembered = ConcurrentHashMap.newKeySet();

    ZkNodeStore(Definite definite, LiveTree tree) {
        this.definite = definite;
        this.tree = tree;
    }

    @Override
    public CompletionStage<Node> create(Node draft) {
        return Async.call(() -> {
            JsonObject document = Documents.write(draft);
            return definite.createNumbered(
                            definite.handle(),
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
            ZooKeeper zk = definite.handle();
            String id = building.id();
            JsonObject document = Documents.write(building);
            String contender = ZkLock.prefix(Paths.nodeLock(id));
            List<Op> ops = List.of(
                    Writes.directory(Paths.nodeLock(id)),
                    Writes.contender(contender),
                    Writes.set(Paths.node(id), document),
                    Writes.create(Paths.memo(id), JsonText.write(Documents.write(memo)), CreateMode.PERSISTENT));
            CompletableFuture<LockedNode> first = definite.multi(
                    zk,
                    ops,
                    results -> locked(building, zk, Writes.created(results.get(1)), Writes.stat(results.get(2))),
                    () -> definite.contender(zk, contender)
                            .thenCompose(made -> made.isPresent()
                                    ? definite.get(zk, Paths.node(id))
                                            .thenApply(found ->
                                                    found.map(is -> locked(building, zk, made.get(), is.stat())))
                                    : CompletableFuture.completedFuture(Optional.empty())));
            return Writes.orElse(
                    Writes.unless(first.thenApply(Optional::of), List.of(Code.NONODE), Optional::empty),
                    List.of(Code.NODEEXISTS),
                    () -> lockUsed(building, zk, memo));
        });
    }

    private LockedNode locked(Node building, ZooKeeper zk, String contender, Stat stat) {
        remembered.add(building.id());
        ZkLock lock = new ZkLock(definite, zk, building.id(), contender);
        return written(building, lock, Documents.write(building), stat);
    }

    /** Somebody was at this node before: its lock has a directory, or it has a memory. */
    private CompletableFuture<Optional<LockedNode>> lockUsed(Node building, ZooKeeper zk, NodeMemo memo) {
        return definite.ensure(zk, List.of(Paths.nodeLock(building.id())))
                .thenCompose(done -> ZkLock.tryTake(definite, zk, Paths.nodeLock(building.id()), building.id()))
                .thenCompose(taken -> taken.isPresent()
                        ? write(new LockedNode(building, taken.get()), memo).toCompletableFuture()
                        : CompletableFuture.completedFuture(Optional.empty()));
    }

    private LockedNode written(Node node, HeldLock lock, JsonObject document, Stat stat) {
        tree.put(Paths.node(node.id()), new Session.Found(JsonText.write(document), stat));
        return new LockedNode(node.withStored(Writes.stored(document, stat, node.stored())), lock);
    }

    @Override
    public CompletionStage<Optional<LockedNode>> tryLock(String id) {
        return Async.call(() -> {
            ZooKeeper zk = definite.handle();
            return Writes.unless(
                            lockDirectory(zk, id)
                                    .thenCompose(done -> ZkLock.tryTake(definite, zk, Paths.nodeLock(id), id)),
                            List.of(Code.NONODE),
                            Optional::empty)
                    .thenCompose(taken -> taken.isEmpty()
                            ? CompletableFuture.completedFuture(Optional.empty())
                            : readUnder(taken.get()));
        });
    }

    /** Whoever is seen in the lock's queue stands in its directory: then it need not be made. */
    private CompletableFuture<Void> lockDirectory(ZooKeeper zk, String id) {
        return tree.current().filter(now -> now.isLocked(id)).isPresent()
                ? CompletableFuture.completedFuture(null)
                : definite.ensure(zk, List.of(Paths.nodeLock(id)));
    }

    @Override
    public CompletionStage<Optional<LockedNode>> tryLockLasting(String id, String holder) {
        return Async.call(() -> {
            ZooKeeper zk = definite.handle();
            return Writes.unless(
                            lockDirectory(zk, id)
                                    .thenCompose(done ->
                                            ZkLock.tryTakeLasting(definite, zk, Paths.nodeLock(id), id, holder)),
                            List.of(Code.NONODE),
                            Optional::empty)
                    .thenCompose(taken -> taken.isEmpty()
                            ? CompletableFuture.completedFuture(Optional.empty())
                            : readUnder(taken.get()));
        });
    }

    @Override
    public CompletionStage<Optional<LockedNode>> resumeLasting(String id, String holder) {
        return Async.call(() -> {
            ZooKeeper zk = definite.handle();
            return ZkLock.resumeLasting(definite, zk, Paths.nodeLock(id), id, holder)
                    .thenCompose(held -> held.isEmpty()
                            ? CompletableFuture.completedFuture(Optional.empty())
                            : definite.get(zk, Paths.node(id))
                                    .thenApply(found -> found.flatMap(data -> parse(id, data))
                                            .map(node -> new LockedNode(node, held.get()))));
        });
    }

    @Override
    public CompletionStage<Optional<LockedNode>> writeIfUnchanged(LockedNode node) {
        return Async.call(() -> {
            ZooKeeper zk = Writes.lock(node.lock()).zk();
            String path = Paths.node(node.node().id());
            JsonObject document = Documents.write(node.node());
            byte[] data = JsonText.write(document);
            int next = node.node().stored().version() + 1;
            CompletableFuture<LockedNode> written = definite.multi(
                    zk,
                    List.of(Op.setData(path, data, next - 1)),
                    results -> written(node.node(), node.lock(), document, Writes.stat(results.get(0))),
                    () -> definite.get(zk, path)
                            .thenApply(found -> found.filter(
                                            is -> is.stat().getVersion() == next && Arrays.equals(is.data(), data))
                                    .map(is -> written(node.node(), node.lock(), document, is.stat()))));
            return Writes.unless(
                    written.thenApply(Optional::of), List.of(Code.BADVERSION, Code.NONODE), Optional::empty);
        });
    }

    private CompletableFuture<Optional<LockedNode>> readUnder(ZkLock lock) {
        return definite.get(lock.zk(), Paths.node(lock.id())).thenCompose(found -> {
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
            return Optional.of(Documents.node(id, TreeContent.stored(found)));
        } catch (MalformedDocumentException e) {
            return Optional.empty();
        }
    }

    @Override
    public CompletionStage<Optional<LockedNode>> write(LockedNode node) {
        return Async.call(() -> {
            JsonObject document = Documents.write(node.node());
            return written(node, List.of(Writes.set(Paths.node(node.node().id()), document)), document);
        });
    }

    @Override
    public CompletionStage<Optional<LockedNode>> write(LockedNode node, NodeMemo memo) {
        return Async.call(() -> {
            JsonObject document = Documents.write(node.node());
            Op set = Writes.set(Paths.node(node.node().id()), document);
            return Writes.unless(
                    remembering(node, set, memo)
                            .thenApply(results -> Optional.of(
                                    written(node.node(), node.lock(), document, Writes.stat(results.get(0))))),
                    List.of(Code.NONODE),
                    Optional::empty);
        });
    }

    private CompletableFuture<Optional<LockedNode>> written(LockedNode node, List<Op> ops, JsonObject document) {
        return Writes.unless(
                definite.multi(Writes.lock(node.lock()).zk(), ops)
                        .thenApply(results ->
                                Optional.of(written(node.node(), node.lock(), document, Writes.stat(results.get(0))))),
                List.of(Code.NONODE),
                Optional::empty);
    }

    @Override
    public CompletionStage<Void> remember(LockedNode node, NodeMemo memo) {
        return Async.call(() -> remembering(
                        node, Op.check(Paths.node(node.node().id()), -1), memo)
                .thenApply(Async::ignore));
    }

    /**
     * An operation on the node together with its memory. Whether there is a memory is a guess: another process may have
     * kept one, or swept it.
     */
    private CompletableFuture<List<OpResult>> remembering(LockedNode node, Op first, NodeMemo memo) {
        ZooKeeper zk = Writes.lock(node.lock()).zk();
        String id = node.node().id();
        byte[] data = JsonText.write(Documents.write(memo));
        List<Op> creating = List.of(first, Writes.create(Paths.memo(id), data, CreateMode.PERSISTENT));
        List<Op> replacing = List.of(first, Op.setData(Paths.memo(id), data, -1));
        CompletableFuture<List<OpResult>> done = remembered.contains(id)
                ? definite.multi(zk, replacing)
                        .exceptionallyCompose(failure -> Session.failedAt(failure, 1, Code.NONODE)
                                ? definite.multi(zk, creating)
                                : CompletableFuture.failedFuture(failure))
                : definite.multi(zk, creating)
                        .exceptionallyCompose(failure -> Session.failedAt(failure, 1, Code.NODEEXISTS)
                                ? definite.multi(zk, replacing)
                                : CompletableFuture.failedFuture(failure));
        return done.thenApply(results -> {
            remembered.add(id);
            return results;
        });
    }

    @Override
    public CompletionStage<Optional<NodeMemo>> recall(String id) {
        return Async.call(() -> definite.get(definite.handle(), Paths.memo(id))
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
            CompletableFuture<Boolean> finished = definite.multi(
                    lock.zk(),
                    ops,
                    results -> {
                        written(node.node(), lock, document, Writes.stat(results.get(0)));
                        return true;
                    },
                    () -> wasReleased(lock));
            return Writes.unless(finished, List.of(Code.NONODE), () -> false).thenApply(done -> {
                if (done) {
                    lock.markReleased();
                }
                return done;
            });
        });
    }

    /** Nobody but us removes our contender from a node that exists. */
    private CompletableFuture<Optional<Boolean>> wasReleased(ZkLock lock) {
        return definite.get(lock.zk(), lock.contender())
                .thenCompose(contender -> contender.isPresent()
                        ? CompletableFuture.completedFuture(Optional.empty())
                        : definite.get(lock.zk(), Paths.node(lock.id())).thenApply(node -> node.map(is -> true)));
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
            List<Op> own = List.of(
                    Op.delete(lock.contender(), -1), Op.delete(Paths.nodeLock(id), -1), Op.delete(Paths.node(id), -1));
            List<Op> withMemo = new ArrayList<>(own);
            withMemo.add(Op.delete(Paths.memo(id), -1));
            remembered.remove(id);
            CompletableFuture<Boolean> atOnce = definite.multi(lock.zk(), withMemo)
                    .exceptionallyCompose(failure -> Session.failedAt(failure, own.size(), Code.NONODE)
                            ? definite.multi(lock.zk(), own)
                            : CompletableFuture.failedFuture(failure))
                    .thenApply(results -> {
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
                        definite.multi(
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
                Writes.unless(definite.delete(zk, path).thenApply(done -> true), List.of(Code.NONODE), () -> true),
                List.of(Code.NOTEMPTY),
                () -> false);
    }

    @Override
    public CompletionStage<Void> removeEmpty(String id) {
        return Async.call(() -> {
            ZooKeeper zk = definite.handle();
            return definite.get(zk, Paths.node(id))
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
        return Async.call(() -> definite.get(definite.handle(), Paths.node(id))
                .thenApply(found -> found.flatMap(data -> parse(id, data))));
    }
}
