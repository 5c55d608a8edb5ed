package nodepool.driver.fake;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import nodepool.api.driver.CloudException;
import nodepool.api.driver.CloudException.Fault;
import nodepool.api.driver.ManagedImages;

/** The images of a fake cloud: what is said of them is kept, their bytes are not. Thread-safe. */
final class FakeImages {

    /** Metadata of an image whose upload is to fail. */
    private static final String SHOULD_FAIL = "SHOULD_FAIL";

    private final Map<String, ManagedImages.Existing> images = new LinkedHashMap<>();
    private int made;
    private int refused;

    /** Takes an image, after it has refused as many as it is to. */
    synchronized String upload(ManagedImages.NewImage image, Path file, int refusals) throws CloudException {
        if (refused < refusals) {
            refused++;
            throw new CloudException(Fault.TRANSIENT, "the cloud refuses upload %d of %d".formatted(refused, refusals));
        }
        if ("true".equals(image.metadata().get(SHOULD_FAIL))) {
            throw new CloudException(Fault.BAD_REQUEST, SHOULD_FAIL + " of the image is true");
        }
        if (!Files.isReadable(file)) {
            throw new CloudException(Fault.BAD_REQUEST, "cannot read " + file);
        }
        String id = "fake-image-%06d".formatted(++made);
        images.put(id, new ManagedImages.Existing(id, image.name(), image.metadata()));
        return id;
    }

    synchronized void delete(String id) throws CloudException {
        if (images.remove(id) == null) {
            throw new CloudException(Fault.NOT_FOUND, "no image " + id);
        }
    }

    synchronized List<ManagedImages.Existing> list() {
        return List.copyOf(images.values());
    }
}
