package nodepool.launcher;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import nodepool.api.node.Node;
import nodepool.api.request.NodeRequest;
import nodepool.api.store.Snapshot;

/**
 * How many ready nodes of each label there are for stock, and which requests stand for more. All launchers count alike and
 * in the order of the requests' ids, so of requests that two made for the same need both know which are too many.
 *
 * @param spares nodes by label that are in stock, or will be without a request that still stands for them
 * @param requests ids by label of the open requests for one node of stock each, in the order of their making
 */
record SpareCount(Map<String, Integer> spares, Map<String, TreeSet<String>> requests) {

    static SpareCount of(Snapshot snapshot) {
        Map<String, Integer> spares = new HashMap<>();
        for (Node node : snapshot.nodes()) {
            if (isSpare(node, snapshot)) {
                node.types().forEach(label -> spares.merge(label, 1, Integer::sum));
            }
        }
        Map<String, TreeSet<String>> requests = new HashMap<>();
        for (NodeRequest request : snapshot.requests()) {
            if (isForOneSpare(request) && !request.state().isFinal()) {
                requests.computeIfAbsent(label(request), none -> new TreeSet<>())
                        .add(request.id());
            }
        }
        return new SpareCount(spares, requests);
    }

    static boolean isForOneSpare(NodeRequest request) {
        return request.isMinReady() && request.wanted().nodeTypes().size() == 1;
    }

    private static String label(NodeRequest request) {
        List<String> labels = request.wanted().nodeTypes();
        return labels.get(0);
    }

    private static boolean isSpare(Node node, Snapshot snapshot) {
        Optional<NodeRequest> request = node.allocation().allocatedTo().flatMap(snapshot::request);
        return switch (node.state()) {
            // A node made for stock counts from when its request is answered, though that is not yet removed.
            case READY ->
                !node.isAllocated()
                        || request.map(made -> made.isMinReady() && made.state().isFinal())
                                .orElse(true);
            // The launcher that asked for it is gone and its request with it, the one that makes it is not.
            case INIT, BUILDING ->
                node.isAllocated()
                        && request.isEmpty()
                        && node.allocation()
                                .requestor()
                                .filter(NodeRequest.MIN_READY::equals)
                                .isPresent();
            default -> false;
        };
    }

    int stock(String label) {
        return spares.getOrDefault(label, 0);
    }

    int requested(String label) {
        return requests.getOrDefault(label, new TreeSet<>()).size();
    }

    /** Whether there will be enough without that request, because of the stock and of requests made before it. */
    boolean isSurplus(NodeRequest request, int minReady) {
        if (!isForOneSpare(request)) {
            return false;
        }
        int before = requests.getOrDefault(label(request), new TreeSet<>())
                .headSet(request.id())
                .size();
        return stock(label(request)) + before >= minReady;
    }
}
