package nodepool.api.store;

import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import nodepool.api.image.ImageBuild;
import nodepool.api.image.ImageUpload;
import nodepool.api.node.Node;
import nodepool.api.registry.Registration;
import nodepool.api.request.NodeRequest;
import org.osgi.annotation.versioning.ProviderType;

/**
 * All of {@code /nodepool} at one moment, indexed. Immutable; may be kept and read from any thread. A snapshot is a hint:
 * whatever is written because of it is checked again on data read under the lock.
 *
 * <p>Records that cannot be read (no data, no JSON, unknown states, impossible ids) are not in the collections but in
 * {@link #malformed()}.
 */
@ProviderType
public interface Snapshot {

    /** Rises with every change; equal numbers of one {@link SnapshotSource} mean the same snapshot. */
    long number();

    /** Every request, in {@link NodeRequest#ORDER}. */
    List<NodeRequest> requests();

    Optional<NodeRequest> request(String id);

    /**
     * Whether anybody holds or wants the request's lock. A pending request of which nobody does has lost its launcher; that
     * this comes to be wakes whoever listens, other changes of it do not.
     */
    boolean isRequestLocked(String requestId);

    /** Every node, ordered by id. */
    Collection<Node> nodes();

    Optional<Node> node(String id);

    /** The nodes of that provider, in any state. */
    Collection<Node> nodesOf(String provider);

    /** The nodes reserved for that request, in any state. */
    Collection<Node> nodesAllocatedTo(String requestId);

    /** Entries of whoever holds or waits for the node's lock, the holder first. */
    List<String> contenders(String nodeId);

    /** Whether anybody holds or waits for the node's lock. */
    default boolean isLocked(String nodeId) {
        return !contenders(nodeId).isEmpty();
    }

    /** Every registered pool, launcher and builder. */
    Collection<Registration> components();

    /** Names of all images that have a record, built or not. */
    Set<String> images();

    /** The builds of that image, oldest first. */
    List<ImageBuild> builds(String image);

    /** The uploads of that image to every provider, oldest first. */
    List<ImageUpload> uploads(String image);

    /** The newest ready upload of that image to that provider: the one that launches use. */
    Optional<ImageUpload> currentUpload(String image, String provider);

    /** Whether building and uploading that image is paused by command. */
    boolean isPaused(String image);

    /** Whether a build of that image was asked for by command and has not succeeded yet. */
    boolean isBuildRequested(String image);

    /** Whether anybody holds the lock that guards building that image. */
    default boolean isBuilding(String image) {
        return false;
    }

    /** Whether anybody holds the lock that guards uploading that build there. */
    default boolean isUploading(String image, String buildId, String provider) {
        return false;
    }

    /** What an operator wants of that provider; absent: that it serves. */
    default Optional<ProviderMark> mark(String provider) {
        return Optional.empty();
    }

    /** What lies where a record is expected and is none. */
    List<Malformed> malformed();

    /**
     * Something that lies where a record is expected.
     *
     * @param path of the entry
     * @param kind what is expected there: {@code request}, {@code node}, {@code component}, {@code build}, {@code upload}
     * @param id of the entry
     * @param problem what is wrong with it, in words for an operator
     * @param empty whether it has no data at all
     */
    record Malformed(String path, String kind, String id, String problem, boolean empty) {}
}
