package nodepool.api.driver;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import nodepool.api.node.Node;
import nodepool.api.quota.QuotaInformation;
import nodepool.api.request.NodeRequest;
import nodepool.api.store.Snapshot;
import nodepool.api.verdict.Reason;
import org.osgi.annotation.versioning.ConsumerType;

/**
 * One configured place that supplies machines.
 *
 * <p>Calls that may throw {@link CloudException} may block; the launcher makes them on this provider's own executor, never
 * on a pool's loop, several at a time. The others are called on loops and must return at once. Every step may be called
 * again with the same arguments after a crash and must then find, not repeat, what it did before.
 */
@ConsumerType
public interface Provider {

    /** Called once, before anything else. A failure is shown, and tried again with back-off on a fresh provider. */
    void start() throws CloudException;

    /** From now on it must not begin anything that two generations of one provider must not both do. */
    default void idle() {}

    /**
     * The provider is not configured any more: gives back what it keeps for later use. While the answer is no, the launcher
     * keeps it in service, removes its nodes as they are given back, and asks again when something has changed. Not asked if
     * another launcher serves the provider.
     *
     * @return whether it has nothing left that would stay behind in the shared state for ever
     */
    default boolean drain(Snapshot snapshot) throws CloudException {
        return true;
    }

    /** Releases everything. No step runs any more and none will be asked for. Bounded to a few seconds. */
    void stop();

    /**
     * What this provider has to say about one request of one pool. Made anew after a restart: it holds nothing that is not
     * in the request, its nodes and their memories.
     */
    NodeRequestHandler getRequestHandler(PoolConfig pool, NodeRequest request);

    /**
     * One bounded step of removing a node's machine; {@link Step.Gone} ends it, and so does a {@link CloudException} with
     * {@link CloudException.Fault#NOT_FOUND}.
     *
     * @param node with the external id of the machine, if it has one
     * @param memo of the last step; empty at first
     */
    Step cleanupNode(Node node, Map<String, String> memo) throws CloudException;

    /** Every machine that exists there, ours or not, so that others' use can be told from ours and leaks from owned ones. */
    List<Instance> listNodes() throws CloudException;

    /** The place's own limits. */
    default QuotaInformation getQuotaLimits() throws CloudException {
        return QuotaInformation.UNLIMITED;
    }

    /**
     * What one machine of that label uses.
     *
     * @throws CloudException with {@link CloudException.Fault#BAD_REQUEST} if the label can never be launched as configured
     */
    default QuotaInformation getQuotaForLabel(PoolConfig pool, String label) throws CloudException {
        return QuotaInformation.needs(0, 1, 0);
    }

    /** Whether the image of that label, if the cloud should have it, is there. */
    default boolean labelReady(PoolConfig pool, String label) throws CloudException {
        return true;
    }

    /**
     * Whether machines can be launched at all. If not, requests are served by reuse only, and a shortage gives a request
     * back instead of pausing the pool.
     */
    default boolean launches() {
        return true;
    }

    /** Called now and then. Removes what carries our mark and no record knows, and does other slow upkeep. */
    default void cleanupLeakedResources(Snapshot snapshot) throws CloudException {}

    /** The console's output of a machine that could not be reached, its tail at least. */
    default Optional<String> getConsoleLog(Node node) throws CloudException {
        return Optional.empty();
    }

    /** Its images, if it starts machines from images of ours. */
    default Optional<ManagedImages> images() {
        return Optional.empty();
    }

    /** Why it answers badly right now, for whoever wonders; it goes on trying all the same. Must return at once. */
    default Optional<Reason> trouble() {
        return Optional.empty();
    }

    /** What it wants to be told, if anything. */
    default Optional<ProviderNotifications> notifications() {
        return Optional.empty();
    }
}
