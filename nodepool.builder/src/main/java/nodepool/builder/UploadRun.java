package nodepool.builder;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import nodepool.api.driver.CloudException;
import nodepool.api.driver.Launch;
import nodepool.api.driver.ManagedImages;
import nodepool.api.event.Event;
import nodepool.api.image.ImageBuild;
import nodepool.api.image.ImageLogin;
import nodepool.api.image.ImageState;
import nodepool.api.image.ImageUpload;
import nodepool.api.json.Stored;
import nodepool.api.store.HeldLock;
import nodepool.api.store.ImageStore;
import nodepool.builder.decision.UploadWish;
import nodepool.builder.dib.ImageDirectory;
import nodepool.builder.dib.ImageName;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One upload, from taking its lock to giving it back. Blocks for as long as it takes; an interrupt ends it. */
final class UploadRun {

    /** How it ended. */
    enum Outcome {
        READY,
        FAILED,
        /** Someone else uploads it, or has uploaded it meanwhile, or the build is gone. */
        NOT_NEEDED
    }

    private static final ImageLogin NO_LOGIN = new ImageLogin(Optional.empty(), Optional.empty(), Optional.empty());
    private static final Logger log = LoggerFactory.getLogger("nodepool.builder.UploadWorker");

    private final BuilderContext context;
    private final UploadWish wish;
    private final ManagedImages cloud;
    private final ImageStore images;
    private final ImageBuild build;
    private final Path file;

    UploadRun(BuilderContext context, UploadWish wish, ManagedImages cloud) {
        this.context = context;
        this.wish = wish;
        this.cloud = cloud;
        this.images = context.stores().images();
        this.build = wish.build();
        this.file = new ImageDirectory(context.identity().imagesDir())
                .file(build.image(), build.id(), wish.wanted().format());
    }

    Outcome run() {
        Optional<HeldLock> lock = Answer.of(images.tryLockUploads(build.image(), build.id(), wish.provider()));
        if (lock.isEmpty()) {
            return Outcome.NOT_NEEDED;
        }
        try {
            return isStillWanted() ? upload(lock.get()) : Outcome.NOT_NEEDED;
        } finally {
            Answer.of(images.unlock(lock.get()));
        }
    }

    private boolean isStillWanted() {
        boolean ready = Answer.of(images.readBuild(build.image(), build.id()))
                .filter(now -> now.state() == ImageState.READY)
                .isPresent();
        return ready
                && context.stores()
                        .snapshots()
                        .current()
                        .filter(now -> now.uploads(build.image()).stream()
                                .noneMatch(upload -> upload.buildId().equals(build.id())
                                        && upload.provider().equals(wish.provider())
                                        && upload.state() == ImageState.READY))
                        .isPresent();
    }

    private Outcome upload(HeldLock lock) {
        Instant start = context.clock().instant();
        ImageUpload record = Answer.of(images.create(
                record("", ImageState.UPLOADING, Optional.empty(), Optional.empty(), build.login()), lock));
        log.info(
                "Uploading build {} of image {} to {} as upload {}",
                build.id(),
                build.image(),
                wish.provider(),
                record.id());
        Outcome outcome = transfer(record, start, lock);
        context.events()
                .on(new Event.UploadEnded(
                        build.image(),
                        build.id(),
                        wish.provider(),
                        record.id(),
                        outcome == Outcome.READY,
                        Duration.between(start, context.clock().instant())));
        return outcome;
    }

    private Outcome transfer(ImageUpload record, Instant start, HeldLock lock) {
        try {
            ManagedImages.NewImage image = image(record.id(), start);
            String externalId = cloud.uploadImage(image, file);
            Optional<String> refusal = wish.wanted()
                    .hook()
                    .flatMap(
                            hook -> new UploadHook(hook, context.environment()).run(wish.provider(), externalId, file));
            return refusal.isPresent()
                    ? undone(record, externalId, image.name(), refusal.get(), lock)
                    : finished(record, externalId, image.name(), start, lock);
        } catch (CloudException | IOException | IllegalArgumentException failure) {
            return failed(record, words(failure), lock);
        }
    }

    private static String words(Exception failure) {
        return failure instanceof CloudException ? String.valueOf(failure.getMessage()) : failure.toString();
    }

    private ManagedImages.NewImage image(String uploadId, Instant start) throws IOException {
        String name = ImageName.of(
                wish.wanted().nameFormat(),
                Map.of(
                        "image_name", build.image(),
                        "upload_id", uploadId,
                        "timestamp", Long.toString(start.getEpochSecond())));
        Map<String, String> metadata = new LinkedHashMap<>(wish.image().metadata());
        metadata.putAll(wish.entry().properties());
        metadata.put(ManagedImages.BUILD_ID, build.id());
        metadata.put(ManagedImages.UPLOAD_ID, uploadId);
        metadata.put(Launch.PROVIDER_NAME, wish.provider());
        return new ManagedImages.NewImage(
                build.image(),
                name,
                wish.wanted().format(),
                metadata,
                ImageDirectory.checksum(file, "md5", 32),
                ImageDirectory.checksum(file, "sha256", 64),
                build.login());
    }

    private ImageUpload record(
            String id, ImageState state, Optional<String> externalId, Optional<String> name, ImageLogin login) {
        return new ImageUpload(
                build.image(),
                build.id(),
                wish.provider(),
                id,
                state,
                context.clock().instant(),
                externalId,
                name,
                externalId.map(known -> wish.wanted().format()),
                login,
                Stored.NEVER);
    }

    private Outcome finished(ImageUpload record, String externalId, String name, Instant start, HeldLock lock) {
        ImageUpload ready =
                record(record.id(), ImageState.READY, Optional.of(externalId), Optional.of(name), build.login());
        if (lock.isHeld() && isStored(ready, lock)) {
            log.info(
                    "Build {} of image {} is {} at {}, uploaded in {} s",
                    build.id(),
                    build.image(),
                    externalId,
                    wish.provider(),
                    Duration.between(start, context.clock().instant()).toSeconds());
            return Outcome.READY;
        }
        log.warn("Upload {} was lost with its lock or record; deleting image {} ({})", record.path(), name, externalId);
        delete(externalId);
        return Outcome.FAILED;
    }

    /** The image is not to be used. What cannot be deleted now is left to the clean-up, which needs its id for that. */
    private Outcome undone(ImageUpload record, String externalId, String name, String why, HeldLock lock) {
        if (delete(externalId)) {
            return failed(record, why, lock);
        }
        isStored(
                record(record.id(), ImageState.DELETING, Optional.of(externalId), Optional.of(name), build.login())
                        .because(why),
                lock);
        log.warn("Upload {} failed: {}", record.path(), why);
        return Outcome.FAILED;
    }

    private Outcome failed(ImageUpload record, String why, HeldLock lock) {
        log.warn("Upload {} failed: {}", record.path(), why);
        isStored(
                record(record.id(), ImageState.FAILED, Optional.empty(), Optional.empty(), NO_LOGIN)
                        .because(why),
                lock);
        return Outcome.FAILED;
    }

    private boolean delete(String externalId) {
        try {
            cloud.deleteImage(externalId);
            return true;
        } catch (CloudException failure) {
            log.warn("Could not delete image {} at {}: {}", externalId, wish.provider(), failure.toString());
            return false;
        }
    }

    private boolean isStored(ImageUpload changed, HeldLock lock) {
        try {
            return Answer.of(images.write(changed, lock)).isPresent();
        } catch (RuntimeException lost) {
            log.debug("Upload {} could not be stored", changed.path(), lost);
            return false;
        }
    }
}
