package nodepool.zk;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import nodepool.api.image.ImageBuild;
import nodepool.api.image.ImageUpload;
import nodepool.api.json.JsonValue.JsonObject;
import nodepool.api.json.Stored;
import nodepool.api.store.HeldLock;
import nodepool.api.store.ImageStore;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.ZooKeeper;

/** Image builds and uploads in ZooKeeper. */
final class ZkImageStore implements ImageStore {

    private final Definite definite;

    ZkImageStore(Definite definite) {
        this.definite = definite;
    }

    @Override
    public CompletionStage<Optional<HeldLock>> tryLockBuilds(String image) {
        return Async.call(() -> {
            String builds = Paths.builds(image);
            return take(List.of(Paths.IMAGES + "/" + image, builds, builds + "/lock"), image);
        });
    }

    @Override
    public CompletionStage<Optional<HeldLock>> tryLockUploads(String image, String buildId, String provider) {
        return Async.call(() -> {
            String build = Paths.builds(image) + "/" + buildId;
            String uploads = Paths.uploads(image, buildId, provider);
            List<String> directories =
                    List.of(build + "/providers", build + "/providers/" + provider, uploads, uploads + "/lock");
            return Writes.unless(take(directories, buildId), List.of(Code.NONODE), Optional::empty);
        });
    }

    /** The last of the directories is the lock's; parents before the first are not made. */
    private CompletableFuture<Optional<HeldLock>> take(List<String> directories, String id) {
        ZooKeeper zk = definite.handle();
        return definite.ensure(zk, directories)
                .thenCompose(done -> ZkLock.tryTake(definite, zk, directories.get(directories.size() - 1), id))
                .thenApply(taken -> taken.map(HeldLock.class::cast));
    }

    @Override
    public CompletionStage<ImageBuild> create(ImageBuild build, HeldLock lock) {
        return Async.call(() -> {
            JsonObject document = Documents.write(build);
            return definite.create(
                            Writes.lock(lock).zk(),
                            Paths.builds(build.image()) + "/" + build.id(),
                            JsonText.write(document))
                    .thenApply(path -> new ImageBuild(
                            build.image(),
                            build.id(),
                            build.state(),
                            build.stateTime(),
                            build.builder(),
                            build.builderId(),
                            build.formats(),
                            build.login(),
                            new Stored(document, 0, -1, Optional.empty())));
        });
    }

    @Override
    public CompletionStage<ImageUpload> create(ImageUpload draft, HeldLock lock) {
        return Async.call(() -> {
            JsonObject document = Documents.write(draft);
            return definite.createNumbered(
                            Writes.lock(lock).zk(),
                            Paths.uploads(draft.image(), draft.buildId(), draft.provider()) + "/",
                            JsonText.write(document),
                            CreateMode.PERSISTENT_SEQUENTIAL)
                    .thenApply(path -> new ImageUpload(
                            draft.image(),
                            draft.buildId(),
                            draft.provider(),
                            Paths.last(path),
                            draft.state(),
                            draft.stateTime(),
                            draft.externalId(),
                            draft.externalName(),
                            draft.format(),
                            draft.login(),
                            new Stored(document, 0, -1, Optional.empty())));
        });
    }

    @Override
    public CompletionStage<Optional<ImageBuild>> write(ImageBuild build, HeldLock lock) {
        return set(Paths.builds(build.image()) + "/" + build.id(), Documents.write(build), lock)
                .thenApply(there -> there ? Optional.of(build) : Optional.empty());
    }

    @Override
    public CompletionStage<Optional<ImageUpload>> write(ImageUpload upload, HeldLock lock) {
        return set(upload.path(), Documents.write(upload), lock)
                .thenApply(there -> there ? Optional.of(upload) : Optional.empty());
    }

    private CompletableFuture<Boolean> set(String path, JsonObject document, HeldLock lock) {
        return Async.call(() -> Writes.unless(
                definite.set(Writes.lock(lock).zk(), path, JsonText.write(document))
                        .thenApply(stat -> true),
                List.of(Code.NONODE),
                () -> false));
    }

    @Override
    public CompletionStage<Void> unlock(HeldLock lock) {
        return Writes.lock(lock).release();
    }
}
