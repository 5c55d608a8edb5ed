package nodepool.zk;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
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
import nodepool.zk.Definite.Named;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.Op;
import org.apache.zookeeper.OpResult;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.data.Stat;

/** Node requests in ZooKeeper. */
final class ZkRequestStore implements RequestStore {

    private static final List<Code> LOST_RACE = List.of(Code.BADVERSION, Code.NONODE);

    private final Definite definite;
    private final LiveTree tree;

    ZkRequestStore(Definite definite, LiveTree tree) {
        this.definite = definite;
        this.tree = tree;
    }

    /** What a claim writes. */
    @SuppressWarnings("ArrayRecordComponent") // bytes on their way to the store
    private record Claiming(
            NodeRequest seen, NodeRequest pending, JsonObject document, byte[] data, List<Node> drafts) {

        Claiming(NodeRequest seen, NodeRequest pending, List<Node> drafts) {
            this(seen, pending, Documents.write(pending), JsonText.write(Documents.write(pending)), drafts);
        }

        /** The request unless it has changed, and its nodes. */
        List<Op> ops() {
            List<Op> ops = new ArrayList<>();
            ops.add(Op.setData(Paths.request(seen.id()), data, seen.stored().version()));
            drafts.forEach(draft -> ops.add(create(draft)));
            return ops;
        }
    }

    /**
     * One transaction in the ordinary case: that the lock's directory did not exist before it makes our contender the first.
     */
    @Override
    public CompletionStage<Optional<Claim>> claim(NodeRequest seen, NodeRequest pending, List<Node> drafts) {
        return Async.call(() -> {
            ZooKeeper zk = definite.handle();
            Claiming claiming = new Claiming(seen, pending, drafts);
            String directory = Paths.requestLock(seen.id());
            String contender = ZkLock.prefix(directory);
            List<Op> ops = new ArrayList<>();
            ops.add(Writes.directory(directory));
            ops.add(Writes.contender(contender));
            ops.addAll(claiming.ops());
            CompletableFuture<Claim> first = definite.multi(
                    zk,
                    ops,
                    results -> claimed(lock(zk, seen, Writes.created(results.get(1))), claiming, results, 2),
                    () -> definite.contender(zk, contender)
                            .thenCompose(made -> made.isPresent()
                                    ? foundClaimed(lock(zk, seen, made.get()), claiming)
                                    : CompletableFuture.completedFuture(Optional.empty())));
            return Writes.orElse(
                    Writes.unless(first.thenApply(Optional::of), LOST_RACE, Optional::empty),
                    List.of(Code.NODEEXISTS),
                    () -> claimInOldDirectory(zk, claiming));
        });
    }

    private ZkLock lock(ZooKeeper zk, NodeRequest request, String contender) {
        return new ZkLock(definite, zk, request.id(), contender);
    }

    private static Op create(Node draft) {
        return Writes.create(Paths.NODES + "/", data(draft), CreateMode.PERSISTENT_SEQUENTIAL);
    }

    private static byte[] data(Node draft) {
        return JsonText.write(Documents.write(draft));
    }

    private Claim claimed(ZkLock lock, Claiming claiming, List<OpResult> results, int at) {
        List<String> names = results.stream().skip(at + 1).map(Writes::created).toList();
        return claimed(lock, claiming, Writes.stat(results.get(at)), names);
    }

    private Claim claimed(ZkLock lock, Claiming claiming, Stat stat, List<String> names) {
        NodeRequest pending = claiming.pending();
        tree.put(Paths.request(pending.id()), new Session.Found(claiming.data(), stat));
        Stored stored = Writes.stored(claiming.document(), stat, pending.stored());
        return new Claim(
                new LockedRequest(pending.withStored(stored), lock), named(claiming.drafts(), names, stat.getMzxid()));
    }

    /** The contender is there: the whole transaction has taken effect, and everything it made bears its number. */
    private CompletableFuture<Optional<Claim>> foundClaimed(ZkLock lock, Claiming claiming) {
        return definite.search(lock.zk(), lock.contender(), one -> true).thenCompose(contenders -> {
            if (contenders.isEmpty()) {
                return CompletableFuture.completedFuture(Optional.empty());
            }
            long transaction = contenders.get(0).createdBy();
            return foundNodes(lock, claiming, transaction);
        });
    }

    private CompletableFuture<Optional<Claim>> foundNodes(ZkLock lock, Claiming claiming, long transaction) {
        Stored before = claiming.seen().stored();
        Stat stat = Writes.stat(before.version() + 1, transaction, before);
        return definite.search(lock.zk(), Paths.NODES + "/", one -> one.createdBy() == transaction)
                .thenApply(nodes -> Optional.of(claimed(
                        lock, claiming, stat, nodes.stream().map(Named::path).toList())));
    }

    private static List<Node> named(List<Node> drafts, List<String> paths, long transaction) {
        List<Node> nodes = new ArrayList<>();
        for (int i = 0; i < drafts.size(); i++) {
            Node draft = drafts.get(i);
            nodes.add(draft.withId(Paths.last(paths.get(i)))
                    .withStored(new Stored(Documents.write(draft), 0, transaction, Optional.empty())));
        }
        return nodes;
    }

    /** Someone else has locked this request before. */
    private CompletableFuture<Optional<Claim>> claimInOldDirectory(ZooKeeper zk, Claiming claiming) {
        String id = claiming.seen().id();
        return ZkLock.tryTake(definite, zk, Paths.requestLock(id), id).thenCompose(taken -> {
            if (taken.isEmpty()) {
                return CompletableFuture.completedFuture(Optional.empty());
            }
            ZkLock lock = taken.get();
            CompletableFuture<Claim> write = definite.multi(
                    zk,
                    claiming.ops(),
                    results -> claimed(lock, claiming, results, 0),
                    () -> definite.get(zk, Paths.request(id))
                            .thenCompose(found -> found.filter(is -> Arrays.equals(is.data(), claiming.data()))
                                    .map(is ->
                                            foundNodes(lock, claiming, is.stat().getMzxid()))
                                    .orElse(CompletableFuture.completedFuture(Optional.empty()))));
            return Writes.orElse(
                    write.thenApply(Optional::of),
                    LOST_RACE,
                    () -> lock.release().thenApply(done -> Optional.empty()));
        });
    }

    private void applied(String path, JsonObject document, OpResult result) {
        tree.put(path, new Session.Found(JsonText.write(document), Writes.stat(result)));
    }

    @Override
    public CompletionStage<Optional<LockedRequest>> tryLock(String id) {
        return Async.call(() -> {
            ZooKeeper zk = definite.handle();
            return definite.ensure(zk, List.of(Paths.requestLock(id)))
                    .thenCompose(done -> ZkLock.tryTake(definite, zk, Paths.requestLock(id), id))
                    .thenCompose(taken -> taken.isEmpty()
                            ? CompletableFuture.completedFuture(Optional.empty())
                            : readUnder(taken.get()));
        });
    }

    private CompletableFuture<Optional<LockedRequest>> readUnder(ZkLock lock) {
        return definite.get(lock.zk(), Paths.request(lock.id())).thenCompose(found -> {
            Optional<NodeRequest> request = found.flatMap(data -> parse(lock.id(), data));
            return request.isPresent()
                    ? CompletableFuture.completedFuture(Optional.of(new LockedRequest(request.get(), lock)))
                    : lock.release().thenApply(done -> Optional.empty());
        });
    }

    private static Optional<NodeRequest> parse(String id, Session.Found found) {
        try {
            return Optional.of(Documents.request(id, TreeContent.stored(found)));
        } catch (MalformedDocumentException e) {
            return Optional.empty();
        }
    }

    @Override
    public CompletionStage<List<Node>> createNodes(LockedRequest request, List<Node> drafts) {
        return Async.call(() -> {
            ZooKeeper zk = Writes.lock(request.lock()).zk();
            List<byte[]> wanted = drafts.stream().map(ZkRequestStore::data).toList();
            return definite.multi(
                            zk,
                            drafts.stream().map(ZkRequestStore::create).toList(),
                            results -> results.stream().map(Writes::created).toList(),
                            () -> definite.search(zk, Paths.NODES + "/", one -> holdsOneOf(one, wanted))
                                    .thenApply(found -> together(found, wanted)))
                    .thenApply(paths -> {
                        paths.forEach(definite::give);
                        return named(drafts, paths, -1);
                    });
        });
    }

    private static boolean holdsOneOf(Named one, List<byte[]> wanted) {
        return wanted.stream().anyMatch(one::holds);
    }

    /** Those that one transaction made, in that order, if nobody has been told of them. */
    private Optional<List<String>> together(List<Named> found, List<byte[]> wanted) {
        for (int from = 0; from + wanted.size() <= found.size(); from++) {
            List<Named> candidates = found.subList(from, from + wanted.size());
            long transaction = candidates.get(0).createdBy();
            boolean same = candidates.stream().allMatch(one -> one.createdBy() == transaction);
            for (int i = 0; same && i < wanted.size(); i++) {
                same = candidates.get(i).holds(wanted.get(i));
            }
            if (same && definite.give(candidates.get(0).path())) {
                return Optional.of(candidates.stream().map(Named::path).toList());
            }
        }
        return Optional.empty();
    }

    @Override
    public CompletionStage<Optional<LockedRequest>> write(LockedRequest request) {
        return Async.call(() -> {
            JsonObject document = Documents.write(request.request());
            String path = Paths.request(request.request().id());
            return Writes.unless(
                    definite.multi(Writes.lock(request.lock()).zk(), List.of(Writes.set(path, document)))
                            .thenApply(results -> {
                                applied(path, document, results.get(0));
                                return Optional.of(request.with(request.request()
                                        .withStored(Writes.stored(
                                                document,
                                                Writes.stat(results.get(0)),
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
            CompletableFuture<Boolean> finished = definite.multi(
                    lock.zk(),
                    ops,
                    results -> {
                        for (int i = 0; i < paths.size(); i++) {
                            applied(paths.get(i), written.get(i), results.get(i));
                        }
                        applied(Paths.request(request.request().id()), document, results.get(at));
                        return true;
                    },
                    () -> wasFinished(lock, nodes));
            return Writes.unless(finished, List.of(Code.NONODE), () -> false).thenApply(done -> {
                if (done) {
                    lock.markReleased();
                    nodes.forEach(node -> Writes.lock(node.lock()).markReleased());
                }
                return done;
            });
        });
    }

    /** Nobody but us removes the contenders of a node that is there, and of a request that is there. */
    private CompletableFuture<Optional<Boolean>> wasFinished(ZkLock request, List<LockedNode> nodes) {
        ZkLock witness = nodes.isEmpty() ? request : Writes.lock(nodes.get(0).lock());
        String record = nodes.isEmpty() ? Paths.request(request.id()) : Paths.node(witness.id());
        return definite.get(witness.zk(), witness.contender())
                .thenCompose(contender -> contender.isPresent()
                        ? CompletableFuture.completedFuture(Optional.empty())
                        : definite.get(witness.zk(), record).thenApply(there -> there.map(is -> true)));
    }

    @Override
    public CompletionStage<Void> unlock(HeldLock lock) {
        return Writes.lock(lock).release();
    }

    @Override
    public CompletionStage<NodeRequest> create(NodeRequest draft, String priority, boolean ephemeral) {
        return Async.call(() -> {
            JsonObject document = Documents.write(draft);
            return definite.createNumbered(
                            definite.handle(),
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
            ZooKeeper zk = definite.handle();
            CompletableFuture<Boolean> gone = definite.deleted(zk, Paths.request(id));
            return gone.thenCompose(was -> sweep(zk, id).thenApply(done -> was));
        });
    }

    @Override
    public CompletionStage<Void> sweep(String id) {
        return Async.call(() -> sweep(definite.handle(), id));
    }

    private CompletableFuture<Void> sweep(ZooKeeper zk, String id) {
        return Writes.unless(
                definite.delete(zk, Paths.requestLock(id)), List.of(Code.NONODE, Code.NOTEMPTY), Async::nothing);
    }

    @Override
    public CompletionStage<List<LockDirectory>> lockDirectories() {
        return Async.call(() -> {
            ZooKeeper zk = definite.handle();
            return definite.children(zk, Paths.REQUESTS_LOCK).thenCompose(ids -> {
                List<CompletableFuture<Optional<LockDirectory>>> all = ids.stream()
                        .map(id -> definite.get(zk, Paths.requestLock(id))
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
        return Async.call(() -> definite.get(definite.handle(), Paths.request(id))
                .thenApply(found -> found.flatMap(data -> parse(id, data))));
    }
}
