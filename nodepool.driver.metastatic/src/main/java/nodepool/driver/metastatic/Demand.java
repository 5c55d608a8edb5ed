package nodepool.driver.metastatic;

import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import nodepool.api.json.JsonValue;
import nodepool.api.json.JsonValue.JsonObject;
import nodepool.api.node.Node;
import nodepool.api.node.NodeState;
import nodepool.api.request.NodeRequest;
import nodepool.api.request.RequestState;
import nodepool.api.store.Snapshot;

/**
 * Who waits for a slot of one label, and what is on its way: a pure function of the records, so that all launchers and all
 * generations of a provider come to the same answer.
 *
 * @param slots on each backing node
 * @param free slots that can be had now
 * @param waiting ids of the nodes without a slot, in order
 * @param open our requests for backing nodes that have not failed, fulfilled ones first
 */
record Demand(int slots, int free, List<String> waiting, List<NodeRequest> open) {

    private static final String LABEL = "label";

    Demand {
        waiting = List.copyOf(waiting);
        open = List.copyOf(open);
    }

    static Demand of(MetastaticConfig config, MetastaticLabel label, SlotTable table, Snapshot snapshot, Instant now) {
        int free = table.open(label.name(), label.backing().maxAge(), now).stream()
                .mapToInt(each -> each.free(label.backing().maxAge(), now))
                .sum();
        List<String> waiting = snapshot.nodesOf(config.name()).stream()
                .filter(node -> node.state() == NodeState.BUILDING && snapshot.isLocked(node.id()))
                .filter(node -> node.types().stream().findFirst().equals(Optional.of(label.name())))
                .map(Node::id)
                .filter(id -> table.seatOf(id).isEmpty())
                .sorted()
                .toList();
        List<NodeRequest> open = snapshot.requests().stream()
                .filter(request -> isOurs(config, request) && request.state() != RequestState.FAILED)
                .filter(request -> label(config, request).equals(Optional.of(label)))
                .sorted(Comparator.comparing(request -> request.state() != RequestState.FULFILLED))
                .toList();
        return new Demand(label.backing().slots(), free, waiting, open);
    }

    /**
     * A request for one more backing node.
     *
     * @param event under which it appears in logs
     */
    static NodeRequest draft(MetastaticConfig config, MetastaticLabel label, UUID event, Instant now) {
        NodeRequest.Asker asker = new NodeRequest.Asker(
                Optional.of(config.owner()),
                JsonObject.EMPTY.with(LABEL, JsonValue.of(label.name())),
                Optional.of(event.toString().replace("-", "")),
                Optional.of(now),
                Optional.empty());
        return NodeRequest.draft(NodeRequest.Wanted.of(List.of(label.backing().label())), asker, now);
    }

    /** Whether it asks for one of our backing nodes. */
    static boolean isOurs(MetastaticConfig config, NodeRequest request) {
        return request.asker().requestor().filter(config.owner()::equals).isPresent();
    }

    /** For which label; one that was made by another launcher does not say, then the first that fits. */
    static Optional<MetastaticLabel> label(MetastaticConfig config, NodeRequest request) {
        Optional<String> said = request.asker().data() instanceof JsonObject data
                ? data.get(LABEL).flatMap(JsonValue::asText)
                : Optional.empty();
        if (said.isPresent()) {
            return config.backedLabel(said.get());
        }
        return config.pools().stream()
                .flatMap(pool -> pool.labels().stream())
                .filter(label ->
                        request.wanted().nodeTypes().contains(label.backing().label()))
                .findFirst();
    }

    /** The request whose backing node that node is to get a slot of; absent if it has to get one elsewhere. */
    Optional<NodeRequest> requestFor(String nodeId) {
        int behind = waiting.indexOf(nodeId) - free;
        int index = Math.floorDiv(behind, slots);
        return behind >= 0 && index < open.size() ? Optional.of(open.get(index)) : Optional.empty();
    }

    /** Whether it falls to that node to ask for one more backing node: to the first of each group that shares one. */
    boolean asks(String nodeId) {
        int rank = waiting.indexOf(nodeId);
        return rank >= capacity() && (rank - capacity()) % slots == 0;
    }

    private long capacity() {
        return free + (long) slots * open.size();
    }

    /** Requests that nobody waits for any more: the youngest of the open ones, fulfilled ones last. */
    List<NodeRequest> unneeded() {
        int needed = Math.max(0, -Math.floorDiv(free - waiting.size(), slots));
        return needed >= open.size() ? List.of() : open.subList(needed, open.size());
    }
}
