package nodepool.zk;

import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import nodepool.api.node.Node;
import org.pcollections.TreePMap;

/**
 * Nodes and the queues of their locks. Immutable; a change shares all but a few entries with what it came from.
 *
 * @param byId every node
 * @param byProvider the nodes of a provider
 * @param byRequest the nodes reserved for a request
 * @param queues who holds or waits for a node's lock, the holder first; no queue is empty
 */
record NodeIndex(
        TreePMap<String, Node> byId,
        Grouped<Node> byProvider,
        Grouped<Node> byRequest,
        TreePMap<String, List<String>> queues) {

    static final NodeIndex EMPTY = new NodeIndex(TreePMap.empty(), Grouped.empty(), Grouped.empty(), TreePMap.empty());

    Optional<Node> get(String id) {
        return Optional.ofNullable(byId.get(id));
    }

    List<String> queue(String id) {
        return queues.getOrDefault(id, List.of());
    }

    NodeIndex with(Node node) {
        NodeIndex others = without(node.id());
        return new NodeIndex(
                others.byId.plus(node.id(), node),
                node.place()
                        .provider()
                        .map(name -> others.byProvider.with(name, node.id(), node))
                        .orElse(others.byProvider),
                node.allocation()
                        .allocatedTo()
                        .map(request -> others.byRequest.with(request, node.id(), node))
                        .orElse(others.byRequest),
                queues);
    }

    /** The node's record is gone or cannot be read; who stands in the queue of its lock stays there. */
    NodeIndex without(String id) {
        return get(id).map(old -> new NodeIndex(
                        byId.minus(id),
                        old.place()
                                .provider()
                                .map(name -> byProvider.without(name, id))
                                .orElse(byProvider),
                        old.allocation()
                                .allocatedTo()
                                .map(request -> byRequest.without(request, id))
                                .orElse(byRequest),
                        queues))
                .orElse(this);
    }

    NodeIndex queued(String id, String contender) {
        return withQueue(
                id,
                ZkLock.queue(Stream.concat(queue(id).stream(), Stream.of(contender))
                        .distinct()
                        .toList()));
    }

    NodeIndex unqueued(String id, String contender) {
        return withQueue(
                id, queue(id).stream().filter(other -> !other.equals(contender)).toList());
    }

    NodeIndex withoutQueue(String id) {
        return withQueue(id, List.of());
    }

    private NodeIndex withQueue(String id, List<String> queue) {
        return new NodeIndex(byId, byProvider, byRequest, queue.isEmpty() ? queues.minus(id) : queues.plus(id, queue));
    }
}
