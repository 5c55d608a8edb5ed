package nodepool.zk;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Predicate;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.Op;
import org.apache.zookeeper.ZooKeeper;

/** Removes an image's entries with everything below them, all or nothing, unless somebody else is in there. */
final class ImageRemoval {

    private final Definite definite;
    private final ZooKeeper zk;

    ImageRemoval(Definite definite, ZooKeeper zk) {
        this.definite = definite;
        this.zk = zk;
    }

    /**
     * @param path of the entry
     * @param inUse what must not be below it
     * @return whether it was removed; an entry that was gone already counts as removed
     */
    CompletableFuture<Boolean> remove(String path, Predicate<String> inUse) {
        return below(path).thenCompose(paths -> {
            if (paths.stream().anyMatch(inUse)) {
                return CompletableFuture.completedFuture(false);
            }
            List<Op> ops = paths.stream().map(one -> Op.delete(one, -1)).toList();
            CompletableFuture<Boolean> removed = definite.multi(zk, ops, results -> true, () -> isGone(path));
            return Writes.unless(removed, List.of(Code.NOTEMPTY, Code.NONODE), () -> false);
        });
    }

    private CompletableFuture<Optional<Boolean>> isGone(String path) {
        return definite.get(zk, path).thenApply(found -> found.isPresent() ? Optional.empty() : Optional.of(true));
    }

    /** Children before their parents, the path itself last. */
    private CompletableFuture<List<String>> below(String path) {
        return definite.children(zk, path).thenCompose(names -> {
            List<CompletableFuture<List<String>>> all =
                    names.stream().map(name -> below(path + "/" + name)).toList();
            return CompletableFuture.allOf(all.toArray(CompletableFuture[]::new))
                    .thenApply(done -> {
                        List<String> paths = new ArrayList<>();
                        all.forEach(one -> paths.addAll(one.join()));
                        paths.add(path);
                        return paths;
                    });
        });
    }
}
