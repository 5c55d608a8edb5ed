package nodepool.zk;

import java.nio.charset.StandardCharsets;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.regex.Pattern;
import nodepool.api.store.HeldLock;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.ZooKeeper;

/** A lock as kazoo makes it: the child with the lowest ten digits behind {@code __lock__} holds it. */
final class ZkLock implements HeldLock {

    private static final Pattern CONTENDER = Pattern.compile("__lock__-?\\d{10}$");

    private final Definite definite;
    private final ZooKeeper zk;
    private final String id;
    private final String contender;
    private volatile boolean released;

    ZkLock(Definite definite, ZooKeeper zk, String id, String contender) {
        this.definite = definite;
        this.zk = zk;
        this.id = id;
        this.contender = contender;
    }

    /** The name of a new contender, for a sequential create. */
    static String prefix(String directory) {
        return directory + "/" + UUID.randomUUID().toString().replace("-", "") + "__lock__";
    }

    static boolean isContender(String path) {
        return CONTENDER.matcher(path).find();
    }

    /** Names of those who hold or wait for the lock, in order; other children do not count. */
    static List<String> queue(List<String> children) {
        return children.stream()
                .filter(child -> CONTENDER.matcher(child).find())
                .sorted(Comparator.comparing(child -> child.substring(child.length() - 10)))
                .toList();
    }

    /**
     * Tries once, in a directory that exists. Absent if someone is ahead, or the directory is gone.
     */
    static CompletableFuture<Optional<ZkLock>> tryTake(Definite definite, ZooKeeper zk, String directory, String id) {
        return tryTake(definite, zk, directory, id, new byte[0], CreateMode.EPHEMERAL_SEQUENTIAL);
    }

    /**
     * Like {@link #tryTake}, with a contender that outlives the session and names its holder. Looks first: nobody would
     * clear a contender away that is left behind in a queue.
     */
    static CompletableFuture<Optional<ZkLock>> tryTakeLasting(
            Definite definite, ZooKeeper zk, String directory, String id, String holder) {
        return definite.children(zk, directory)
                .thenCompose(children -> queue(children).isEmpty()
                        ? tryTake(
                                definite,
                                zk,
                                directory,
                                id,
                                holder.getBytes(StandardCharsets.UTF_8),
                                CreateMode.PERSISTENT_SEQUENTIAL)
                        : CompletableFuture.completedFuture(Optional.empty()));
    }

    /** The lock, if the first in the queue outlives its session and names that holder. */
    static CompletableFuture<Optional<ZkLock>> resumeLasting(
            Definite definite, ZooKeeper zk, String directory, String id, String holder) {
        return definite.children(zk, directory).thenCompose(children -> {
            List<String> queue = queue(children);
            if (queue.isEmpty()) {
                return CompletableFuture.completedFuture(Optional.empty());
            }
            String first = directory + "/" + queue.get(0);
            return definite.get(zk, first)
                    .thenApply(found -> found.filter(entry -> entry.stat().getEphemeralOwner() == 0
                                    && holder.equals(new String(entry.data(), StandardCharsets.UTF_8)))
                            .map(entry -> new ZkLock(definite, zk, id, first)));
        });
    }

    private static CompletableFuture<Optional<ZkLock>> tryTake(
            Definite definite, ZooKeeper zk, String directory, String id, byte[] holder, CreateMode mode) {
        return definite.contend(zk, prefix(directory), holder, mode)
                .thenCompose(path -> definite.children(zk, directory).thenCompose(children -> {
                    List<String> queue = queue(children);
                    ZkLock lock = new ZkLock(definite, zk, id, path);
                    boolean first = !queue.isEmpty() && queue.get(0).equals(Paths.last(path));
                    return first
                            ? CompletableFuture.completedFuture(Optional.of(lock))
                            : lock.release().thenApply(done -> Optional.<ZkLock>empty());
                }))
                .exceptionally(failure -> {
                    if (Session.code(failure).filter(Code.NONODE::equals).isPresent()) {
                        return Optional.empty();
                    }
                    throw failure instanceof CompletionException same ? same : new CompletionException(failure);
                });
    }

    ZooKeeper zk() {
        return zk;
    }

    String contender() {
        return contender;
    }

    void markReleased() {
        released = true;
    }

    @Override
    public String id() {
        return id;
    }

    @Override
    public boolean isHeld() {
        return !released && definite.isCurrent(zk);
    }

    /** Gives the lock up; one that is gone already is fine. */
    CompletableFuture<Void> release() {
        if (released || !definite.isCurrent(zk)) {
            return CompletableFuture.completedFuture(null);
        }
        released = true;
        return definite.delete(zk, contender).exceptionally(failure -> {
            if (Session.code(failure).filter(Code.NONODE::equals).isPresent()) {
                return null;
            }
            throw failure instanceof CompletionException same ? same : new CompletionException(failure);
        });
    }
}
