package nodepool.api.config;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import nodepool.api.image.ImageLogin;

/**
 * An image that diskimage-builder makes, with everything inherited from its parents already applied.
 *
 * @param name identity of the image
 * @param elements in order
 * @param environment of the build; may hold secrets, never log it
 * @param formats wanted besides those the providers ask for
 * @param keepFormats formats whose files survive {@code deleteAfterUpload}
 * @param deleteAfterUpload delete local files of a format once all its uploads are done
 * @param paused not built while true
 * @param rebuildAge age from which the newest build is replaced
 * @param buildTimeout after which a build is ended
 * @param release {@code DIB_RELEASE}; may be empty
 * @param login what users are told
 * @param command split like a shell command line
 * @param metadata properties of its uploads
 */
public record DiskImage(
        String name,
        List<String> elements,
        Map<String, String> environment,
        List<String> formats,
        List<String> keepFormats,
        boolean deleteAfterUpload,
        boolean paused,
        Duration rebuildAge,
        Duration buildTimeout,
        String release,
        ImageLogin login,
        String command,
        Map<String, String> metadata) {

    public DiskImage {
        elements = List.copyOf(elements);
        environment = Map.copyOf(environment);
        formats = List.copyOf(formats);
        keepFormats = List.copyOf(keepFormats);
        metadata = Map.copyOf(metadata);
    }

    /** Without the environment, which may hold secrets. */
    @Override
    public String toString() {
        return "DiskImage[" + name + "]";
    }
}
