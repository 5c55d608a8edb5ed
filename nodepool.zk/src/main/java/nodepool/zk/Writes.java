package nodepool.zk;

import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Supplier;
import nodepool.api.json.JsonValue.JsonObject;
import nodepool.api.json.Stored;
import nodepool.api.store.HeldLock;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.Op;
import org.apache.zookeeper.OpResult;
import org.apache.zookeeper.ZooDefs.Ids;
import org.apache.zookeeper.data.Stat;

/** The pieces that all writes are made of. */
final class Writes {

    private Writes() {}

    static Op create(String path, byte[] data, CreateMode mode) {
        return Op.create(path, data, Ids.OPEN_ACL_UNSAFE, mode);
    }

    static Op directory(String path) {
        return create(path, new byte[0], CreateMode.PERSISTENT);
    }

    static Op contender(String prefix) {
        return create(prefix, new byte[0], CreateMode.EPHEMERAL_SEQUENTIAL);
    }

    static Op set(String path, JsonObject document) {
        return Op.setData(path, JsonText.write(document), -1);
    }

    static String created(OpResult result) {
        return ((OpResult.CreateResult) result).getPath();
    }

    static Stat stat(OpResult result) {
        return ((OpResult.SetDataResult) result).getStat();
    }

    /** What the server would have told of a write that somebody else may have written over since. */
    static Stat stat(int version, long transaction, Stored before) {
        Stat stat = new Stat();
        stat.setVersion(version);
        stat.setMzxid(transaction);
        stat.setCtime(before.created().map(Instant::toEpochMilli).orElse(0L));
        return stat;
    }

    /** How a document lies after it was written. */
    static Stored stored(JsonObject document, Stat stat, Stored before) {
        return new Stored(document, stat.getVersion(), stat.getMzxid(), before.created());
    }

    static ZkLock lock(HeldLock lock) {
        if (lock instanceof ZkLock ours) {
            return ours;
        }
        throw new IllegalArgumentException("not a lock of this store: " + lock);
    }

    /** Takes an answer of the store for another result; other failures go on. */
    static <T> CompletableFuture<T> unless(CompletableFuture<T> call, List<Code> codes, Supplier<T> otherwise) {
        return call.exceptionally(failure -> {
            if (Session.code(failure).filter(codes::contains).isPresent()) {
                return otherwise.get();
            }
            throw failure instanceof CompletionException same ? same : new CompletionException(failure);
        });
    }

    /** Like {@link #unless}, going on with another call. */
    static <T> CompletableFuture<T> orElse(
            CompletableFuture<T> call, List<Code> codes, Supplier<CompletableFuture<T>> otherwise) {
        return call.exceptionallyCompose(
                failure -> Session.code(failure).filter(codes::contains).isPresent()
                        ? otherwise.get()
                        : CompletableFuture.failedFuture(failure));
    }
}
