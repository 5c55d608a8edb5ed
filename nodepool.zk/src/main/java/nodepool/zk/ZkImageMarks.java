package nodepool.zk;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import nodepool.api.store.ImageMarks;
import org.apache.zookeeper.KeeperException.Code;

/** Marks of images: empty children beside their builds. */
final class ZkImageMarks implements ImageMarks {

    private static final String PAUSE = "/pause";
    private static final String REQUEST = "/request-build";

    private final Definite definite;

    ZkImageMarks(Definite definite) {
        this.definite = definite;
    }

    @Override
    public CompletionStage<Void> pause(String image) {
        return mark(image, PAUSE);
    }

    @Override
    public CompletionStage<Void> unpause(String image) {
        return unmark(image, PAUSE);
    }

    @Override
    public CompletionStage<Void> requestBuild(String image) {
        return mark(image, REQUEST);
    }

    @Override
    public CompletionStage<Optional<Instant>> requestedAt(String image) {
        return Async.call(() -> definite.get(definite.handle(), Paths.image(image) + REQUEST)
                .thenApply(found -> found.map(Session.Found::created)));
    }

    @Override
    public CompletionStage<Void> fulfilBuild(String image) {
        return unmark(image, REQUEST);
    }

    private CompletableFuture<Void> mark(String image, String mark) {
        String directory = Paths.image(image);
        return Async.call(() -> definite.ensure(definite.handle(), List.of(directory, directory + mark)));
    }

    private CompletableFuture<Void> unmark(String image, String mark) {
        return Async.call(() -> Writes.unless(
                definite.delete(definite.handle(), Paths.image(image) + mark), List.of(Code.NONODE), Async::nothing));
    }
}
