package nodepool.driver.fake;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import nodepool.api.driver.CloudException;
import nodepool.api.driver.CloudException.Fault;
import nodepool.api.driver.ManagedImages;

/** The images of a fake cloud: what is said of them is kept, their bytes are not. Thread-safe. */
class FakeImages {

    /** Metadata of an image whose upload is to fail. */
    private static final String SHOULD_FAIL = "SHOULD_FAIL";

    private final Map<String, ManagedImages.Existing> images = new LinkedHashMap<>();
    private int made;
    private final AtomicInteger refused = new AtomicInteger();

    /** Takes an image, after it has refused as many as it is to. An upload repeated after a crash finds what it has made. */
    String upload(ManagedImages.NewImage image, Path file, int refusals) throws CloudException {
        if (refused.getAndIncrement() < refusals) {
            throw new CloudException(Fault.TRANSIENT, "the cloud refuses its first %d uploads".formatted(refusals));
        }
        if ("true".equals(image.metadata().get(SHOULD_FAIL))) {
            throw new CloudException(Fault.BAD_REQUEST, SHOULD_FAIL + " of the image is true");
        }
        if (!Files.isReadable(file)) {
            throw new CloudException(Fault.BAD_REQUEST, "cannot read " + file);
        }
        synchronized (images) {
            for (ManagedImages.Existing before : images.values()) {
                if (isSameUpload(before, image)) {
                    return before.externalId();
                }
            }
            String id = "fake-image-%06d".formatted(++made);
            images.put(id, new ManagedImages.Existing(id, image.name(), image.metadata()));
            return id;
        }
    }

    private static boolean isSameUpload(ManagedImages.Existing before, ManagedImages.NewImage image) {
        return Stream.of(ManagedImages.BUILD_ID, ManagedImages.UPLOAD_ID)
                .allMatch(key -> image.metadata().containsKey(key)
                        && image.metadata().get(key).equals(before.metadata().get(key)));
    }

    void delete(String id) throws CloudException {
        synchronized (images) {
            if (images.remove(id) == null) {
                throw new CloudException(Fault.NOT_FOUND, "no image " + id);
            }
        }
    }

    List<ManagedImages.Existing> list() {
        synchronized (images) {
            return List.copyOf(images.values());
        }
    }
}
