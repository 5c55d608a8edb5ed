package nodepool.driver.statemachine;

import java.net.URI;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import nodepool.api.driver.CloudException;
import nodepool.api.driver.Launch;
import nodepool.api.driver.ManagedImages;
import nodepool.api.driver.Redaction;

/**
 * The images of an {@link Adapter}: each carries the provider's name, so that a leaked one is known for ours. What a call
 * fails with says no credentials.
 */
record AdapterImages(String provider, Adapter adapter, Redaction redaction) implements ManagedImages {

    @Override
    public String uploadImage(NewImage image, Path file) throws CloudException {
        return told(() -> adapter.uploadImage(marked(image), file));
    }

    @Override
    public String importImage(NewImage image, URI from) throws CloudException {
        return told(() -> adapter.importImage(marked(image), from));
    }

    @Override
    public void deleteImage(String externalId) throws CloudException {
        try {
            told(() -> {
                adapter.deleteImage(externalId);
                return externalId;
            });
        } catch (CloudException e) {
            if (e.fault() != CloudException.Fault.NOT_FOUND) {
                throw e;
            }
        }
    }

    @Override
    public List<Existing> listImages() throws CloudException {
        return told(adapter::listImages);
    }

    private <T> T told(CloudCall<T> call) throws CloudException {
        try {
            return call.call();
        } catch (CloudException failure) {
            throw redaction.clean(failure);
        } catch (RuntimeException bug) {
            if (redaction.clean(bug) instanceof CloudException cleaned) {
                throw cleaned;
            }
            throw bug;
        }
    }

    private NewImage marked(NewImage image) {
        Map<String, String> metadata = new HashMap<>(image.metadata());
        metadata.put(Launch.PROVIDER_NAME, provider);
        return new NewImage(
                image.diskImage(), image.name(), image.format(), metadata, image.md5(), image.sha256(), image.login());
    }
}
