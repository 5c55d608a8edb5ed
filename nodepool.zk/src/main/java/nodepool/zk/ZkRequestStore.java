package nodepool.zk;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import nodepool.api.json.JsonValue.JsonObject;
import nodepool.api.json.Stored;
import nodepool.api.node.Node;
import nodepool.api.request.NodeRequest;
import nodepool.api.store.HeldLock;
import nodepool.api.store.LockedNode;
import nodepool.api.store.LockedRequest;
import nodepool.api.store.RequestStore;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.Op;
import org.apache.zookeeper.OpResult;
import org.apache.zookeeper.ZooKeeper;

/** Node requests in ZooKeeper. */
final class ZkRequestStore implements RequestStore {

    private static final List<Code> LOST_RACE = List.of(Code.BADVERSION, Code.NONODE);

    private final Session session;
    private final LiveTree tree;

    ZkRequestStore(Session session, LiveTree tree) {
        this.session = session;
        this.tree = tree;
    }

    /**
     * One transaction in the ordinary case: that the lock's directory did not exist before it makes our contender the first.
     */
    @Override
    public CompletionStage<Optional<Claim>> claim(NodeRequest seen, NodeRequest pending, List<Node> drafts) {
        return Async.call(() -> {
            ZooKeeper zk = session.handle();
            String directory = Paths.requestLock(seen.id());
            JsonObject document = Documents.write(pending);
            List<Op> ops = new ArrayList<>();
            ops.add(Writes.directory(directory));
            ops.add(Writes.contender(directory));
            ops.add(Op.setData(
                    Paths.request(seen.id()),
                    JsonText.write(document),
                    seen.stored().version()));
            drafts.forEach(draft -> ops.add(create(draft)));
            CompletableFuture<Optional<Claim>> first = session.multi(zk, ops)
                    .thenApply(results -> Optional.of(claim(zk, pending, document, drafts, results, 1)));
            return Writes.orElse(
                    Writes.unless(first, LOST_RACE, Optional::empty),
                    List.of(Code.NODEEXISTS),
                    () -> claimInOldDirectory(zk, seen, pending, document, drafts));
        });
    }

    private static Op create(Node draft) {
        return Writes.create(
                Paths.NODES + "/", JsonText.write(Documents.write(draft)), CreateMode.PERSISTENT_SEQUENTIAL);
    }

    private Claim claim(
            ZooKeeper zk, NodeRequest pending, JsonObject document, List<Node> drafts, List<OpResult> results, int at) {
        ZkLock lock = new ZkLock(session, zk, pending.id(), Writes.created(results.get(at)));
        return claim(lock, pending, document, drafts, results, at + 1);
    }

    private Claim claim(
            ZkLock lock, NodeRequest pending, JsonObject document, List<Node> drafts, List<OpResult> results, int at) {
        Stored stored = Writes.stored(document, results.get(at), pending.stored());
        applied(Paths.request(pending.id()), document, results.get(at));
        return new Claim(new LockedRequest(pending.withStored(stored), lock), named(drafts, results, at + 1));
    }

    private static List<Node> named(List<Node> drafts, List<OpResult> results, int from) {
        List<Node> nodes = new ArrayList<>();
        for (int i = 0; i < drafts.size(); i++) {
            nodes.add(named(drafts.get(i), Writes.created(results.get(from + i))));
        }
        return nodes;
    }

    private static Node named(Node draft, String path) {
        return draft.withId(Paths.last(path)).withStored(new Stored(Documents.write(draft), 0, -1, Optional.empty()));
    }

    /** Someone else has locked this request before. */
    private CompletableFuture<Optional<Claim>> claimInOldDirectory(
            ZooKeeper zk, NodeRequest seen, NodeRequest pending, JsonObject document, List<Node> drafts) {
        return ZkLock.tryTake(session, zk, Paths.requestLock(seen.id()), seen.id())
                .thenCompose(taken -> {
                    if (taken.isEmpty()) {
                        return CompletableFuture.completedFuture(Optional.empty());
                    }
                    List<Op> ops = new ArrayList<>();
                    ops.add(Op.setData(
                            Paths.request(seen.id()),
                            JsonText.write(document),
                            seen.stored().version()));
                    drafts.forEach(draft -> ops.add(create(draft)));
                    CompletableFuture<Optional<Claim>> write = session.multi(zk, ops)
                            .thenApply(
                                    results -> Optional.of(claim(taken.get(), pending, document, drafts, results, 0)));
                    return Writes.orElse(
                            write, LOST_RACE, () -> taken.get().release().thenApply(done -> Optional.empty()));
                });
    }

    private void applied(String path, JsonObject document, OpResult result) {
        tree.put(path, new Session.Found(JsonText.write(document), ((OpResult.SetDataResult) result).getStat()));
    }

    @Override
    public CompletionStage<Optional<LockedRequest>> tryLock(String id) {
        return Async.call(() -> {
            ZooKeeper zk = session.handle();
            return session.ensure(zk, List.of(Paths.requestLock(id)))
                    .thenCompose(done -> ZkLock.tryTake(session, zk, Paths.requestLock(id), id))
                    .thenCompose(taken -> taken.isEmpty()
                            ? CompletableFuture.completedFuture(Optional.empty())
                            : readUnder(taken.get()));
        });
    }

    private CompletableFuture<Optional<LockedRequest>> readUnder(ZkLock lock) {
        return session.get(lock.zk(), Paths.request(lock.id())).thenCompose(found -> {
            Optional<NodeRequest> request = found.flatMap(data -> parse(lock.id(), data));
            return request.isPresent()
                    ? CompletableFuture.completedFuture(Optional.of(new LockedRequest(request.get(), lock)))
                    : lock.release().thenApply(done -> Optional.empty());
        });
    }

    private static Optional<NodeRequest> parse(String id, Session.Found found) {
        try {
            return Optional.of(Documents.request(id, LiveTree.stored(found)));
        } catch (MalformedDocumentException e) {
            return Optional.empty();
        }
    }

    @Override
    public CompletionStage<List<Node>> createNodes(LockedRequest request, List<Node> drafts) {
        return Async.call(() -> session.multi(
                        Writes.lock(request.lock()).zk(),
                        drafts.stream().map(ZkRequestStore::create).toList())
                .thenApply(results -> named(drafts, results, 0)));
    }

    @Override
    public CompletionStage<Optional<LockedRequest>> write(LockedRequest request) {
        return Async.call(() -> {
            JsonObject document = Documents.write(request.request());
            String path = Paths.request(request.request().id());
            return Writes.unless(
                    session.multi(Writes.lock(request.lock()).zk(), List.of(Writes.set(path, document)))
                            .thenApply(results -> {
                                applied(path, document, results.get(0));
                                return Optional.of(request.with(request.request()
                                        .withStored(Writes.stored(
                                                document,
                                                results.get(0),
                                                request.request().stored()))));
                            }),
                    List.of(Code.NONODE),
                    Optional::empty);
        });
    }

    @Override
    public CompletionStage<Boolean> finish(LockedRequest request, List<LockedNode> nodes) {
        return Async.call(() -> {
            ZkLock lock = Writes.lock(request.lock());
            JsonObject document = Documents.write(request.request());
            List<Op> ops = new ArrayList<>();
            List<JsonObject> written = new ArrayList<>();
            List<String> paths = new ArrayList<>();
            for (LockedNode node : nodes) {
                JsonObject changed = Documents.write(node.node());
                if (!changed.equals(node.node().stored().document())) {
                    written.add(changed);
                    paths.add(Paths.node(node.node().id()));
                    ops.add(Writes.set(Paths.node(node.node().id()), changed));
                }
            }
            nodes.forEach(node -> ops.add(Op.delete(Writes.lock(node.lock()).contender(), -1)));
            int at = ops.size();
            ops.add(Writes.set(Paths.request(request.request().id()), document));
            ops.add(Op.delete(lock.contender(), -1));
            return Writes.unless(
                    session.multi(lock.zk(), ops).thenApply(results -> {
                        lock.markReleased();
                        nodes.forEach(node -> Writes.lock(node.lock()).markReleased());
                        for (int i = 0; i < paths.size(); i++) {
                            applied(paths.get(i), written.get(i), results.get(i));
                        }
                        applied(Paths.request(request.request().id()), document, results.get(at));
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
    public CompletionStage<NodeRequest> create(NodeRequest draft, String priority, boolean ephemeral) {
        return Async.call(() -> {
            JsonObject document = Documents.write(draft);
            return session.create(
                            session.handle(),
                            Paths.REQUESTS + "/" + priority + "-",
                            JsonText.write(document),
                            ephemeral ? CreateMode.EPHEMERAL_SEQUENTIAL : CreateMode.PERSISTENT_SEQUENTIAL)
                    .thenApply(path ->
                            draft.withId(Paths.last(path)).withStored(new Stored(document, 0, -1, Optional.empty())));
        });
    }

    @Override
    public CompletionStage<Boolean> delete(String id) {
        return Async.call(() -> {
            ZooKeeper zk = session.handle();
            CompletableFuture<Boolean> gone = Writes.unless(
                    session.delete(zk, Paths.request(id)).thenApply(done -> true), List.of(Code.NONODE), () -> false);
            return gone.thenCompose(was -> sweep(zk, id).thenApply(done -> was));
        });
    }

    @Override
    public CompletionStage<Void> sweep(String id) {
        return Async.call(() -> sweep(session.handle(), id));
    }

    private CompletableFuture<Void> sweep(ZooKeeper zk, String id) {
        return Writes.unless(
                session.delete(zk, Paths.requestLock(id)), List.of(Code.NONODE, Code.NOTEMPTY), Async::nothing);
    }

    @Override
    public CompletionStage<List<LockDirectory>> lockDirectories() {
        return Async.call(() -> {
            ZooKeeper zk = session.handle();
            return session.children(zk, Paths.REQUESTS_LOCK).thenCompose(ids -> {
                List<CompletableFuture<Optional<LockDirectory>>> all = ids.stream()
                        .map(id -> session.get(zk, Paths.requestLock(id))
                                .thenApply(found -> found.map(data -> new LockDirectory(
                                        id, Instant.ofEpochMilli(data.stat().getMtime())))))
                        .toList();
                return CompletableFuture.allOf(all.toArray(CompletableFuture[]::new))
                        .thenApply(done ->
                                all.stream().flatMap(one -> one.join().stream()).toList());
            });
        });
    }

    @Override
    public CompletionStage<Optional<NodeRequest>> read(String id) {
        return Async.call(() -> session.get(session.handle(), Paths.request(id))
                .thenApply(found -> found.flatMap(data -> parse(id, data))));
    }
}
