package nodepool.zk;

import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.Op;
import org.apache.zookeeper.OpResult;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.data.Stat;

/**
 * Operations with a definite outcome. When the connection breaks before an answer arrives, nobody knows whether the server
 * has done what it was asked. While the session lives its locks are kept, so this waits until the server answers again,
 * looks what became of the operation, and repeats it only if it did not take effect. What may be done twice is repeated
 * without looking. Fails with {@link nodepool.api.store.SessionLostException} when the session ends meanwhile.
 */
final class Definite {

    private final Session session;
    /** Our latest creations: a search for a lost one of the same content must find another. */
    private final Set<String> given = Collections.newSetFromMap(Collections.synchronizedMap(new LastNames()));

    Definite(Session session) {
        this.session = session;
    }

    /** The latest names, many more than creations can be under way at once. */
    @SuppressWarnings("serial") // never written
    private static final class LastNames extends LinkedHashMap<String, Boolean> {
        private static final int KEPT = 10_000;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Boolean> eldest) {
            return size() > KEPT;
        }
    }

    /** A znode that a search came upon. */
    record Named(String path, Session.Found content) {

        /** The transaction that created it. */
        long createdBy() {
            return content.stat().getCzxid();
        }

        boolean holds(byte[] data) {
            return Arrays.equals(content.data(), data);
        }
    }

    ZooKeeper handle() {
        return session.handle();
    }

    boolean isCurrent(ZooKeeper zk) {
        return session.isCurrent(zk);
    }

    private static <T> CompletableFuture<Optional<T>> unknown() {
        return CompletableFuture.completedFuture(Optional.empty());
    }

    /** Does what may be done twice. */
    private <T> CompletableFuture<T> repeat(ZooKeeper zk, Supplier<CompletableFuture<T>> operation) {
        return once(zk, operation, Definite::unknown);
    }

    /**
     * Does what must take effect once.
     *
     * @param find looks whether it took effect, and what its answer would have been
     */
    private <T> CompletableFuture<T> once(
            ZooKeeper zk, Supplier<CompletableFuture<T>> operation, Supplier<CompletableFuture<Optional<T>>> find) {
        return operation.get().exceptionallyCompose(failure -> {
            if (Session.code(failure).filter(Code.CONNECTIONLOSS::equals).isEmpty()) {
                return CompletableFuture.failedFuture(failure);
            }
            return caughtUp(zk)
                    .thenCompose(done -> find.get())
                    .thenCompose(result -> result.isPresent()
                            ? CompletableFuture.completedFuture(result.get())
                            : once(zk, operation, find));
        });
    }

    /** The server answers again, and has done whatever of ours was still on its way. */
    private CompletableFuture<Void> caughtUp(ZooKeeper zk) {
        return session.sync(zk)
                .exceptionallyCompose(failure -> Session.code(failure)
                                .filter(Code.CONNECTIONLOSS::equals)
                                .isPresent()
                        ? caughtUp(zk)
                        : CompletableFuture.failedFuture(failure));
    }

    CompletableFuture<Optional<Session.Found>> get(ZooKeeper zk, String path) {
        return repeat(zk, () -> session.get(zk, path));
    }

    CompletableFuture<List<String>> children(ZooKeeper zk, String path) {
        return repeat(zk, () -> session.children(zk, path));
    }

    CompletableFuture<Stat> set(ZooKeeper zk, String path, byte[] data) {
        return repeat(zk, () -> session.set(zk, path, data, -1));
    }

    CompletableFuture<Void> delete(ZooKeeper zk, String path) {
        return repeat(zk, () -> session.delete(zk, path));
    }

    /** True if this call removed it, or somebody else did while the connection was broken; false if it was not there. */
    CompletableFuture<Boolean> deleted(ZooKeeper zk, String path) {
        return once(
                zk,
                () -> Writes.unless(
                        session.delete(zk, path).thenApply(done -> true), List.of(Code.NONODE), () -> false),
                () -> get(zk, path).thenApply(there -> there.isPresent() ? Optional.empty() : Optional.of(true)));
    }

    /** Creates the directories of the wire contract, as plain persistent znodes, parents first. */
    CompletableFuture<Void> ensure(ZooKeeper zk, List<String> directories) {
        return repeat(zk, () -> session.ensure(zk, directories));
    }

    /** Writes that may be done twice, all or nothing. */
    CompletableFuture<List<OpResult>> multi(ZooKeeper zk, List<Op> ops) {
        return repeat(zk, () -> session.multi(zk, ops));
    }

    /** Writes that must take effect once, all or nothing. */
    <T> CompletableFuture<T> multi(
            ZooKeeper zk,
            List<Op> ops,
            Function<List<OpResult>, T> answer,
            Supplier<CompletableFuture<Optional<T>>> find) {
        return once(zk, () -> session.multi(zk, ops).thenApply(answer), find);
    }

    /** A new contender for a lock, under a name that nobody else uses. */
    CompletableFuture<String> contend(ZooKeeper zk, String prefix, byte[] holder, CreateMode mode) {
        return once(zk, () -> session.create(zk, prefix, holder, mode), () -> contender(zk, prefix));
    }

    /** The path of our contender, if it was made. */
    CompletableFuture<Optional<String>> contender(ZooKeeper zk, String prefix) {
        String directory = Paths.parent(prefix);
        return children(zk, directory)
                .thenApply(names -> names.stream()
                        .map(name -> directory + "/" + name)
                        .filter(path -> path.startsWith(prefix))
                        .findFirst());
    }

    /** A new znode whose name the server completes; the content of an earlier one of ours is told apart by its name. */
    CompletableFuture<String> createNumbered(ZooKeeper zk, String prefix, byte[] data, CreateMode mode) {
        return once(
                zk,
                () -> session.create(zk, prefix, data, mode).thenApply(path -> {
                    given.add(path);
                    return path;
                }),
                () -> search(zk, prefix, one -> one.holds(data) && isOurs(zk, one, mode))
                        .thenApply(all ->
                                all.stream().map(Named::path).filter(given::add).findFirst()));
    }

    private static boolean isOurs(ZooKeeper zk, Named one, CreateMode mode) {
        return !mode.isEphemeral() || one.content().stat().getEphemeralOwner() == zk.getSessionId();
    }

    /** A new znode of a given name. */
    CompletableFuture<String> create(ZooKeeper zk, String path, byte[] data) {
        return create(zk, path, data, CreateMode.PERSISTENT);
    }

    /** A new znode of a given name, which may go away with the session. */
    CompletableFuture<String> create(ZooKeeper zk, String path, byte[] data, CreateMode mode) {
        return once(
                zk,
                () -> session.create(zk, path, data, mode),
                () -> get(zk, path)
                        .thenApply(there -> there.filter(is -> Arrays.equals(is.data(), data))
                                .map(is -> path)));
    }

    /** Whether this is a creation of ours that nobody has been told of; from now on somebody has. */
    boolean give(String path) {
        return given.add(path);
    }

    /** Everything whose path begins so and that is as wanted, in the order of its making. */
    CompletableFuture<List<Named>> search(ZooKeeper zk, String prefix, Predicate<Named> wanted) {
        String directory = Paths.parent(prefix);
        return children(zk, directory).thenCompose(names -> {
            List<CompletableFuture<Optional<Named>>> all = names.stream()
                    .map(name -> directory + "/" + name)
                    .filter(path -> path.startsWith(prefix))
                    .map(path -> get(zk, path).thenApply(there -> there.map(is -> new Named(path, is))))
                    .toList();
            return CompletableFuture.allOf(all.toArray(CompletableFuture[]::new))
                    .thenApply(done -> all.stream()
                            .flatMap(one -> one.join().stream())
                            .filter(wanted)
                            .sorted(Comparator.comparingLong(Named::createdBy).thenComparing(Named::path))
                            .toList());
        });
    }
}
