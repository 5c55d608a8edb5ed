package nodepool.zk;

import java.util.Optional;
import nodepool.api.request.NodeRequest;
import org.pcollections.TreePMap;
import org.pcollections.TreePSet;

/**
 * Requests, to be found and in order. Immutable; a change shares all but a few entries with what it came from.
 *
 * @param byId every request
 * @param ordered the same, in {@link NodeRequest#ORDER}
 */
record RequestIndex(TreePMap<String, NodeRequest> byId, TreePSet<NodeRequest> ordered) {

    static final RequestIndex EMPTY = new RequestIndex(TreePMap.empty(), TreePSet.empty(NodeRequest.ORDER));

    Optional<NodeRequest> get(String id) {
        return Optional.ofNullable(byId.get(id));
    }

    RequestIndex with(NodeRequest request) {
        RequestIndex others = without(request.id());
        return new RequestIndex(others.byId.plus(request.id(), request), others.ordered.plus(request));
    }

    RequestIndex without(String id) {
        return get(id).map(old -> new RequestIndex(byId.minus(id), ordered.minus(old)))
                .orElse(this);
    }
}
