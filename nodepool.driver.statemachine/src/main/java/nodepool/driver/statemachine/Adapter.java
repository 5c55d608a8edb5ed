package nodepool.driver.statemachine;

import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import nodepool.api.driver.CloudException;
import nodepool.api.driver.Instance;
import nodepool.api.driver.LabelConfig;
import nodepool.api.driver.Launch;
import nodepool.api.driver.ManagedImages;
import nodepool.api.driver.ManagedImages.NewImage;
import nodepool.api.quota.QuotaInformation;
import org.osgi.annotation.versioning.ConsumerType;

/**
 * All the calls to one cloud that a driver's author writes. Thread-safe; calls that may throw may block, and are made on the
 * provider's own threads. One adapter serves one configuration of one provider.
 */
@ConsumerType
public interface Adapter {

    /** For one call of this adapter; one that takes longer is given up, and the provider shown as degraded. */
    default Duration callTimeout() {
        return Duration.ofSeconds(60);
    }

    /** Releases everything. Called once, when no step runs any more. */
    default void stop() {}

    /** How to make the machine of one node, in that zone if one was chosen. */
    StateMachine getCreateStateMachine(Launch launch, Optional<String> availabilityZone);

    /** How to remove a machine. */
    StateMachine getDeleteStateMachine(String externalId);

    /** Every machine in the account, not only ours. */
    List<Instance> listInstances() throws CloudException;

    /** Everything that can leak, ours and others'. */
    default List<Resource> listResources() throws CloudException {
        return List.of();
    }

    /** Removes one leaked resource. */
    default void deleteResource(Resource resource) throws CloudException {
        throw new CloudException(CloudException.Fault.BAD_REQUEST, "this cloud cannot delete a " + resource.type());
    }

    /** The account's limits. */
    default QuotaInformation getQuotaLimits() throws CloudException {
        return QuotaInformation.UNLIMITED;
    }

    /** What one machine of that label uses. */
    default QuotaInformation getQuotaForLabel(LabelConfig label) throws CloudException {
        return QuotaInformation.needs(0, 1, 0);
    }

    /** Zones to choose from when the pool names none; empty: the cloud has no zones. */
    default List<String> getAZs() throws CloudException {
        return List.of();
    }

    /** Whether the cloud's image of that label is there. */
    default boolean labelReady(LabelConfig label) throws CloudException {
        return true;
    }

    /** What a machine has printed on its console. */
    default Optional<String> getConsoleLog(String externalId) throws CloudException {
        return Optional.empty();
    }

    /** A machine did not answer at its address. */
    default void notifyNodescanFailure(String externalId) throws CloudException {}

    /**
     * Brings an image there and waits until machines can be started from it; not bounded by {@link #callTimeout}. Called
     * again for the same upload after a crash, it finds what the interrupted call has made, or removes it.
     *
     * @return the cloud's id of the image
     */
    default String uploadImage(NewImage image, Path file) throws CloudException {
        throw new CloudException(CloudException.Fault.BAD_REQUEST, "this driver uploads no images");
    }

    /** Has the cloud fetch an image itself; as {@link #uploadImage} otherwise. */
    default String importImage(NewImage image, URI from) throws CloudException {
        throw new CloudException(CloudException.Fault.BAD_REQUEST, "this driver imports no images");
    }

    /** Removes an image; one that is gone already counts as removed. */
    default void deleteImage(String externalId) throws CloudException {
        throw new CloudException(CloudException.Fault.BAD_REQUEST, "this driver deletes no images");
    }

    /** Every image there that carries {@link ManagedImages#BUILD_ID}, whoever uploaded it; nothing if the cloud cannot tell. */
    default List<ManagedImages.Existing> listImages() throws CloudException {
        return List.of();
    }
}
