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
 * @param contenders who holds or wants a request's lock; no set is empty
 */
record RequestIndex(
        TreePMap<String, NodeRequest> byId,
        TreePSet<NodeRequest> ordered,
        TreePMap<String, TreePSet<String>> contenders) {

    static final RequestIndex EMPTY =
            new RequestIndex(TreePMap.empty(), TreePSet.empty(NodeRequest.ORDER), TreePMap.empty());

    Optional<NodeRequest> get(String id) {
        return Optional.ofNullable(byId.get(id));
    }

    RequestIndex with(NodeRequest request) {
        RequestIndex others = without(request.id());
        return new RequestIndex(others.byId.plus(request.id(), request), others.ordered.plus(request), contenders);
    }

    RequestIndex without(String id) {
        return get(id).map(old -> new RequestIndex(byId.minus(id), ordered.minus(old), contenders))
                .orElse(this);
    }

    boolean isLocked(String id) {
        return contenders.containsKey(id);
    }

    RequestIndex contended(String id, String name) {
        TreePSet<String> before = contenders.getOrDefault(id, TreePSet.empty());
        return new RequestIndex(byId, ordered, contenders.plus(id, before.plus(name)));
    }

    RequestIndex uncontended(String id, String name) {
        TreePSet<String> rest = contenders.getOrDefault(id, TreePSet.empty()).minus(name);
        return new RequestIndex(byId, ordered, rest.isEmpty() ? contenders.minus(id) : contenders.plus(id, rest));
    }
}
