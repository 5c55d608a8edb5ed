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

    /** Records a build, whole, under its image's lock. */
    CompletionStage<ImageBuild> create(ImageBuild build, HeldLock lock);

    /** Records an upload and gives it an id, under the lock of its build and provider. */
    CompletionStage<ImageUpload> create(ImageUpload draft, HeldLock lock);

    /** Stores a build; absent if it is gone. */
    CompletionStage<Optional<ImageBuild>> write(ImageBuild build, HeldLock lock);

    /** Stores an upload; absent if it is gone. */
    CompletionStage<Optional<ImageUpload>> write(ImageUpload upload, HeldLock lock);

    /** Releases a lock. Repeating it does nothing. */
    CompletionStage<Void> unlock(HeldLock lock);
}
