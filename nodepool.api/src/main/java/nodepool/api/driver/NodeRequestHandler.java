package nodepool.api.driver;

import java.util.Collection;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import nodepool.api.node.Node;
import nodepool.api.node.NodeState;
import org.osgi.annotation.versioning.ConsumerType;

/** The driver's side of one request in one pool. Confined to the pool's loop, except {@link #launch}. */
@ConsumerType
public interface NodeRequestHandler extends NodeRequestHandlerNotifications {

    /** Whether that ready node may serve this request together with the nodes it has already. Must return at once. */
    default boolean checkReusableNode(Node node, Collection<Node> others) {
        return true;
    }

    /** Whether that ready node still answers. Must return at once and complete in bounded time. */
    default CompletionStage<Boolean> checkAlive(Node node) {
        return CompletableFuture.completedStage(true);
    }

    /**
     * Adds what the driver decides about a node before it is recorded, such as its zone. Must return at once.
     *
     * @param others the nodes the request has already
     */
    default Node setNodeMetadata(Node draft, Collection<Node> others) {
        return draft;
    }

    /**
     * One bounded step of making a node's machine. May block. Called on the provider's executor, for several nodes at a
     * time.
     *
     * @param launch which node, from what
     * @param memo of the last step; empty at first
     */
    Step launch(Launch launch, Map<String, String> memo) throws CloudException;

    /** Whether every node of a node set can be handed over. */
    default boolean launchesComplete(Collection<Node> nodes) {
        return nodes.stream().allMatch(node -> node.state() == NodeState.READY);
    }
}
