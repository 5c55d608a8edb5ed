package nodepool.driver.openstack;

import java.nio.file.FileSystems;
import java.nio.file.Path;
import java.nio.file.PathMatcher;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import nodepool.api.driver.CloudException;
import nodepool.api.driver.CloudException.Fault;
import nodepool.driver.openstack.cloud.Images;
import nodepool.driver.openstack.cloud.Images.Image;

/** Finds an image of the cloud as cheaply as can be: by id, by name, and only then by a pattern over all of them. */
final class ImageLookup {

    private static final Pattern ID =
            Pattern.compile("[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}");

    private ImageLookup() {}

    /** The usable image that is meant; absent if there is none. Several are a mistake of the configuration. */
    static Optional<Image> find(Images images, String wanted) throws CloudException {
        Optional<Image> byId = ID.matcher(wanted).matches() ? images.image(wanted) : Optional.empty();
        if (byId.isPresent()) {
            return byId.filter(Image::isActive);
        }
        Optional<Image> byName = single(images.named(wanted), wanted);
        return byName.isPresent() || !isPattern(wanted) ? byName : single(matching(images.all(), wanted), wanted);
    }

    private static boolean isPattern(String wanted) {
        return wanted.contains("*") || wanted.contains("?") || wanted.contains("[");
    }

    private static List<Image> matching(List<Image> all, String pattern) {
        PathMatcher matcher = FileSystems.getDefault()
                .getPathMatcher("glob:" + pattern.replace("{", "\\{").replace("}", "\\}"));
        return all.stream()
                .filter(image -> matcher.matches(Path.of(image.name())) || matcher.matches(Path.of(image.id())))
                .toList();
    }

    private static Optional<Image> single(List<Image> found, String wanted) throws CloudException {
        List<Image> usable = found.stream().filter(Image::isActive).toList();
        if (usable.size() > 1) {
            throw new CloudException(
                    Fault.BAD_REQUEST, "There are " + usable.size() + " images " + wanted + "; name one by its id");
        }
        return usable.stream().findFirst();
    }
}
