package nodepool.builder;

import java.util.Optional;
import nodepool.api.driver.CloudException;
import nodepool.api.driver.Launch;
import nodepool.api.driver.ManagedImages;
import nodepool.api.image.ImageState;
import nodepool.api.image.ImageUpload;
import nodepool.api.store.HeldLock;
import nodepool.api.store.ImageStore;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes one upload back: marks its record, deletes the image in the cloud, removes the record. Each step may be repeated, so
 * that whoever finds it half done goes on. Blocks.
 */
final class UploadWithdrawal {

    private static final Logger log = LoggerFactory.getLogger("nodepool.builder.CleanupWorker");

    private final BuilderContext context;
    private final ImageProviders providers;
    private final ImageStore images;

    UploadWithdrawal(BuilderContext context, ImageProviders providers) {
        this.context = context;
        this.providers = providers;
        this.images = context.stores().images();
    }

    /** @param seen as it was when this was decided */
    Progress run(ImageUpload seen) {
        Optional<ImageUpload> now = Answer.of(images.readUpload(seen));
        if (now.isEmpty()) {
            return Progress.STALE;
        }
        if (now.get().state() == ImageState.DELETING) {
            return delete(now.get());
        }
        if (now.get().state() != seen.state()) {
            return Progress.STALE;
        }
        return seen.state() == ImageState.UPLOADING ? markAbandoned(seen) : mark(seen);
    }

    /** Who holds the lock of uploads knows that nobody uploads. */
    private Progress markAbandoned(ImageUpload seen) {
        Optional<HeldLock> lock = Answer.of(images.tryLockUploads(seen.image(), seen.buildId(), seen.provider()));
        if (lock.isEmpty()) {
            return Progress.STALE;
        }
        try {
            log.info("Upload {} was abandoned by its uploader", seen.path());
            return mark(seen);
        } finally {
            Answer.of(images.unlock(lock.get()));
        }
    }

    private Progress mark(ImageUpload seen) {
        Optional<HeldLock> lock = Answer.of(images.tryLockUpload(seen));
        if (lock.isEmpty()) {
            return Progress.LATER;
        }
        try {
            Optional<ImageUpload> now =
                    Answer.of(images.readUpload(seen)).filter(still -> still.state() == seen.state());
            if (now.isEmpty()) {
                return Progress.STALE;
            }
            ImageUpload deleting =
                    now.get().withState(ImageState.DELETING, context.clock().instant());
            return Answer.of(images.write(deleting, lock.get())).isPresent() ? Progress.CHANGED : Progress.STALE;
        } finally {
            Answer.of(images.unlock(lock.get()));
        }
    }

    private Progress delete(ImageUpload upload) {
        Optional<ProviderGeneration.Lease> lease = providers.lease(upload.provider());
        if (lease.isEmpty()) {
            return Progress.LATER;
        }
        try (ProviderGeneration.Lease taken = lease.get()) {
            deleteInCloud(upload, taken.images());
        } catch (CloudException refused) {
            log.warn(
                    "Could not delete image {} at {}: {}",
                    upload.externalId().orElse("of " + upload.path()),
                    upload.provider(),
                    refused.toString());
            return Progress.LATER;
        }
        return forget(upload);
    }

    /** Without an id nobody knows how far the upload came: whatever carries its marks is looked for. */
    private static void deleteInCloud(ImageUpload upload, ManagedImages cloud) throws CloudException {
        if (upload.externalId().isPresent()) {
            deleteOne(upload.externalId().get(), cloud);
            return;
        }
        for (ManagedImages.Existing image : cloud.listImages()) {
            boolean its = upload.buildId().equals(image.metadata().get(ManagedImages.BUILD_ID))
                    && upload.id().equals(image.metadata().get(ManagedImages.UPLOAD_ID))
                    && upload.provider().equals(image.metadata().get(Launch.PROVIDER_NAME));
            if (its) {
                log.info("Deleting image {} ({}), left of {}", image.name(), image.externalId(), upload.path());
                deleteOne(image.externalId(), cloud);
            }
        }
    }

    private static void deleteOne(String externalId, ManagedImages cloud) throws CloudException {
        try {
            cloud.deleteImage(externalId);
        } catch (CloudException failure) {
            if (failure.fault() != CloudException.Fault.NOT_FOUND) {
                throw failure;
            }
        }
    }

    private Progress forget(ImageUpload upload) {
        Optional<HeldLock> lock = Answer.of(images.tryLockUpload(upload));
        if (lock.isEmpty()) {
            return Answer.of(images.readUpload(upload)).isEmpty() ? Progress.CHANGED : Progress.LATER;
        }
        try {
            if (!Answer.of(images.remove(upload, lock.get()))) {
                return Progress.LATER;
            }
            log.info("Upload {} is removed", upload.path());
            return Progress.CHANGED;
        } finally {
            Answer.of(images.unlock(lock.get()));
        }
    }
}
