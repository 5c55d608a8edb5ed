package nodepool.api.store;

import java.util.Optional;
import java.util.concurrent.CompletionStage;
import nodepool.api.image.ImageBuild;
import nodepool.api.image.ImageUpload;
import org.osgi.annotation.versioning.ProviderType;

/** Changes to image builds and uploads. The rules of {@link RequestStore} hold here too. */
@ProviderType
public interface ImageStore {

    /** Tries to take the lock that guards building that image; absent if someone else builds it. */
    CompletionStage<Optional<HeldLock>> tryLockBuilds(String image);

    /** Tries to take the lock that guards uploading that build there; absent if someone else does, or the build is gone. */
    CompletionStage<Optional<HeldLock>> tryLockUploads(String image, String buildId, String provider);

    /** Tries to take the lock that guards withdrawing a build; absent if someone else does, or the build is gone. */
    CompletionStage<Optional<HeldLock>> tryLockBuild(ImageBuild build);

    /** Tries to take the lock that guards withdrawing an upload; absent if someone else does, or the upload is gone. */
    CompletionStage<Optional<HeldLock>> tryLockUpload(ImageUpload upload);

    /** Reads a build from the store itself; absent if it is gone or cannot be read. */
    CompletionStage<Optional<ImageBuild>> readBuild(String image, String buildId);

    /** Reads an upload from the store itself; absent if it is gone or cannot be read. */
    CompletionStage<Optional<ImageUpload>> readUpload(ImageUpload upload);

    /** Records a build, whole, under its image's lock. */
    CompletionStage<ImageBuild> create(ImageBuild build, HeldLock lock);

    /** Records an upload and gives it an id, under the lock of its build and provider. */
    CompletionStage<ImageUpload> create(ImageUpload draft, HeldLock lock);

    /** Stores a build; absent if it is gone. */
    CompletionStage<Optional<ImageBuild>> write(ImageBuild build, HeldLock lock);

    /** Stores an upload; absent if it is gone. */
    CompletionStage<Optional<ImageUpload>> write(ImageUpload upload, HeldLock lock);

    /** Stores a build as an operator does, without a lock; false if it has changed since it was read, or is gone. */
    CompletionStage<Boolean> writeIfUnchanged(ImageBuild build);

    /** Stores an upload as an operator does, without a lock; false if it has changed since it was read, or is gone. */
    CompletionStage<Boolean> writeIfUnchanged(ImageUpload upload);

    /**
     * Removes a build and everything below it, and releases the lock of {@link #tryLockBuild}.
     *
     * @return false if it still has uploads, or someone else uses one of its locks; then nothing was removed, and the lock is
     *     still held
     */
    CompletionStage<Boolean> remove(ImageBuild build, HeldLock lock);

    /**
     * Removes an upload's record, and releases the lock of {@link #tryLockUpload}.
     *
     * @return false if someone else waits for the lock; then nothing was removed, and the lock is still held
     */
    CompletionStage<Boolean> remove(ImageUpload upload, HeldLock lock);

    /**
     * Removes a build or an upload without data, which somebody has left by locking what was gone; false if it has data, or is
     * in use.
     */
    CompletionStage<Boolean> removeEmpty(Snapshot.Malformed entry);

    /** Removes the entry of an image that has no builds and no marks any more; false if it has, or is in use. */
    CompletionStage<Boolean> removeImage(String image);

    /** Releases a lock. Repeating it does nothing. */
    CompletionStage<Void> unlock(HeldLock lock);
}
