package nodepool.builder.dib;

import java.nio.file.Path;
import nodepool.api.config.DiskImage;

/**
 * What of this program's own files image commands may use.
 *
 * @param home its folder, which {@code %p} in a configured command stands for
 * @param fake whether no image is really built, whatever is configured
 */
public record Installation(Path home, boolean fake) {

    private static final String HOME = "%p";
    private static final String FAKE = "libexec/fake-image-create";

    /** The command of that image, still to be split into words. */
    String command(DiskImage image) {
        return fake ? "'" + home.resolve(FAKE) + "'" : image.command().replace(HOME, home.toString());
    }
}
