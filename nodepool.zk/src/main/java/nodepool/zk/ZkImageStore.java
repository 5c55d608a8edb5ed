package nodepool.zk;

import java.util.Arrays;
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
import nodepool.api.store.Snapshot;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.Op;
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
            String build = Paths.build(image, buildId);
            String uploads = Paths.uploads(image, buildId, provider);
            List<String> directories =
                    List.of(build + "/providers", build + "/providers/" + provider, uploads, uploads + "/lock");
            return Writes.unless(take(directories, buildId), List.of(Code.NONODE), Optional::empty);
        });
    }

    @Override
    public CompletionStage<Optional<HeldLock>> tryLockBuild(ImageBuild build) {
        return Async.call(() -> takeBelow(Paths.build(build.image(), build.id()), build.id()));
    }

    @Override
    public CompletionStage<Optional<HeldLock>> tryLockUpload(ImageUpload upload) {
        return Async.call(() -> takeBelow(upload.path(), upload.id()));
    }

    /** The lock of a record; there is none if the record is gone. */
    private CompletableFuture<Optional<HeldLock>> takeBelow(String record, String id) {
        return Writes.unless(take(List.of(record + "/lock"), id), List.of(Code.NONODE), Optional::empty);
    }

    /** The last of the directories is the lock's; parents before the first are not made. */
    private CompletableFuture<Optional<HeldLock>> take(List<String> directories, String id) {
        ZooKeeper zk = definite.handle();
        return definite.ensure(zk, directories)
                .thenCompose(done -> ZkLock.tryTake(definite, zk, directories.get(directories.size() - 1), id))
                .thenApply(taken -> taken.map(HeldLock.class::cast));
    }

    @Override
    public CompletionStage<Optional<ImageBuild>> readBuild(String image, String buildId) {
        return read(Paths.build(image, buildId), stored -> Documents.build(image, buildId, stored));
    }

    @Override
    public CompletionStage<Optional<ImageUpload>> readUpload(ImageUpload upload) {
        return read(
                upload.path(),
                stored -> Documents.upload(upload.image(), upload.buildId(), upload.provider(), upload.id(), stored));
    }

    private interface Parsing<T> {
        T parse(Stored stored) throws MalformedDocumentException;
    }

    private <T> CompletableFuture<Optional<T>> read(String path, Parsing<T> parsing) {
        return Async.call(() -> definite.get(definite.handle(), path).thenApply(found -> {
            try {
                return found.isPresent()
                        ? Optional.of(parsing.parse(TreeContent.stored(found.get())))
                        : Optional.empty();
            } catch (MalformedDocumentException unreadable) {
                return Optional.empty();
            }
        }));
    }

    @Override
    public CompletionStage<ImageBuild> create(ImageBuild build, HeldLock lock) {
        return Async.call(() -> {
            JsonObject document = Documents.write(build);
            return definite.create(
                            Writes.lock(lock).zk(), Paths.build(build.image(), build.id()), JsonText.write(document))
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
        return set(Paths.build(build.image(), build.id()), Documents.write(build), lock)
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
    public CompletionStage<Boolean> writeIfUnchanged(ImageBuild build) {
        return replace(Paths.build(build.image(), build.id()), Documents.write(build), build.stored());
    }

    @Override
    public CompletionStage<Boolean> writeIfUnchanged(ImageUpload upload) {
        return replace(upload.path(), Documents.write(upload), upload.stored());
    }

    private CompletableFuture<Boolean> replace(String path, JsonObject document, Stored before) {
        return Async.call(() -> {
            ZooKeeper zk = definite.handle();
            byte[] data = JsonText.write(document);
            List<Op> ops = List.of(Op.setData(path, data, before.version()));
            CompletableFuture<Boolean> replaced = definite.multi(
                    zk,
                    ops,
                    results -> true,
                    () -> definite.get(zk, path)
                            .thenApply(found -> found.filter(is -> Arrays.equals(is.data(), data))
                                    .map(is -> true)));
            return Writes.unless(replaced, List.of(Code.BADVERSION, Code.NONODE), () -> false);
        });
    }

    @Override
    public CompletionStage<Boolean> remove(ImageBuild build, HeldLock lock) {
        return remove(Paths.build(build.image(), build.id()), lock);
    }

    @Override
    public CompletionStage<Boolean> remove(ImageUpload upload, HeldLock lock) {
        return remove(upload.path(), lock);
    }

    /** Records below this one, and contenders for locks other than our own, keep it from being removed. */
    private CompletableFuture<Boolean> remove(String path, HeldLock lock) {
        return Async.call(() -> {
            ZkLock own = Writes.lock(lock);
            return new ImageRemoval(definite, own.zk())
                    .remove(path, one -> !one.equals(path) && !one.equals(own.contender()) && isInUse(one))
                    .thenApply(removed -> {
                        if (removed) {
                            own.markReleased();
                        }
                        return removed;
                    });
        });
    }

    private static boolean isInUse(String path) {
        return Place.of(path).kind() == Place.Kind.UPLOAD || ZkLock.isContender(path);
    }

    @Override
    public CompletionStage<Boolean> removeEmpty(Snapshot.Malformed entry) {
        return Async.call(() -> {
            ZooKeeper zk = definite.handle();
            String path = entry.path();
            Place.Kind kind = Place.of(path).kind();
            if (kind != Place.Kind.BUILD && kind != Place.Kind.UPLOAD) {
                throw new IllegalArgumentException(path + " is no build and no upload");
            }
            return definite.get(zk, path)
                    .thenCompose(found -> found.filter(is -> is.data().length == 0)
                                    .isPresent()
                            ? new ImageRemoval(definite, zk).remove(path, one -> !one.equals(path) && isInUse(one))
                            : CompletableFuture.completedFuture(false));
        });
    }

    @Override
    public CompletionStage<Boolean> removeImage(String image) {
        return Async.call(() -> new ImageRemoval(definite, definite.handle())
                .remove(Paths.image(image), path -> switch (Place.of(path).kind()) {
                    case BUILD, UPLOAD, FLAG -> true;
                    default -> false;
                }));
    }

    @Override
    public CompletionStage<Void> unlock(HeldLock lock) {
        return Writes.lock(lock).release();
    }
}
