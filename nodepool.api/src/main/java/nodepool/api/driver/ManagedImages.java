package nodepool.api.driver;

import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import nodepool.api.image.ImageLogin;
import org.osgi.annotation.versioning.ConsumerType;

/**
 * The images of a provider that starts machines from images of ours. Thread-safe. Every call may block, an upload for hours,
 * and is made on threads of the caller; an interrupt ends it early with a {@link CloudException}.
 */
@ConsumerType
public interface ManagedImages {

    /** Key of {@link NewImage#metadata}: id of the build. Upload ids alone repeat between builds. */
    String BUILD_ID = "nodepool_build_id";
    /** Key of {@link NewImage#metadata}: id of the upload. */
    String UPLOAD_ID = "nodepool_upload_id";

    /**
     * Brings an image there and waits until machines can be started from it. Called again for the same upload after a crash,
     * it finds what the interrupted call has made, or removes it.
     *
     * @return the provider's id of the image
     */
    String uploadImage(NewImage image, Path file) throws CloudException;

    /**
     * Has the provider fetch an image itself.
     *
     * @return the provider's id of the image
     * @throws CloudException with {@link CloudException.Fault#BAD_REQUEST} if this provider cannot; then it is uploaded
     */
    default String importImage(NewImage image, URI from) throws CloudException {
        throw new CloudException(CloudException.Fault.BAD_REQUEST, "this provider cannot fetch images");
    }

    /** Removes an image; one that is gone already counts as removed. */
    void deleteImage(String externalId) throws CloudException;

    /** Every image there that carries {@link #BUILD_ID}, whoever uploaded it; nothing if the provider cannot tell. */
    default List<Existing> listImages() throws CloudException {
        return List.of();
    }

    /**
     * An image that is there.
     *
     * @param externalId the provider's id of the image
     * @param name it has there
     * @param metadata as {@link NewImage#metadata} was, and the provider's own name
     */
    record Existing(String externalId, String name, Map<String, String> metadata) {
        public Existing {
            metadata = Map.copyOf(metadata);
        }
    }

    /**
     * An image to be.
     *
     * @param diskImage name of the image in the configuration
     * @param name to give it there
     * @param format of the file: {@code qcow2}, {@code raw}, …
     * @param metadata to put on it, {@link #BUILD_ID} and {@link #UPLOAD_ID} among it; the provider adds its own name
     * @param md5 of the file in hex, if known
     * @param sha256 of the file in hex, if known
     * @param login what users of the image are told
     */
    record NewImage(
            String diskImage,
            String name,
            String format,
            Map<String, String> metadata,
            Optional<String> md5,
            Optional<String> sha256,
            ImageLogin login) {
        public NewImage {
            metadata = Map.copyOf(metadata);
        }
    }
}
