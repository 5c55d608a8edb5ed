package nodepool.api.store;

import java.util.Map;
import java.util.concurrent.CompletionStage;
import org.osgi.annotation.versioning.ProviderType;

/** All records of images as plain text, to carry them from one store to another. The rules of {@link RequestStore} hold. */
@ProviderType
public interface ImageArchive {

    /** Builds, uploads and pause marks: the entry's path, below the chroot, and its text. Requests and locks are left out. */
    CompletionStage<Map<String, String>> read();

    /**
     * Stores all of them, in place of those of the same paths. Uploads made later get higher ids than any of these. Fails
     * with {@link IllegalArgumentException} before it changes anything if a path is none of an image's records.
     */
    CompletionStage<Void> write(Map<String, String> records);
}
