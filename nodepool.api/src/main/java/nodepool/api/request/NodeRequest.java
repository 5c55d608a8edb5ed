package nodepool.api.request;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import nodepool.api.json.JsonValue;
import nodepool.api.json.JsonValue.JsonNull;
import nodepool.api.json.Stored;

/**
 * One demand for a set of nodes that must be handed over together.
 *
 * @param id {@code PPP-NNNNNNNNNN}: three digits of priority (lower is served first), the store's ten-digit sequence; empty
 *     for a request that was never stored
 * @param wanted what is asked for; the requestor sets it and nobody changes it
 * @param asker on whose behalf
 * @param state where it stands
 * @param stateTime when {@code state} was last assigned; not reliable for records that others wrote
 * @param declinedBy launcher ids of the pools that declined, each once, in order; never cleared
 * @param nodes node ids of a fulfilled request; position i answers {@code wanted.nodeTypes[i]}
 * @param stored how it lies in the store
 */
public record NodeRequest(
        String id,
        Wanted wanted,
        Asker asker,
        RequestState state,
        Instant stateTime,
        List<String> declinedBy,
        List<String> nodes,
        Stored stored) {

    /** Requestor name of the requests a launcher makes itself to keep its stock of ready nodes. */
    public static final String MIN_READY = "NodePool:min-ready";

    /** The order among requests a pool can serve: priority prefix, relative priority, age. */
    public static final Comparator<NodeRequest> ORDER = Comparator.comparing(NodeRequest::priority)
            .thenComparing(request -> request.wanted().relativePriority())
            .thenComparing(NodeRequest::sequence);

    /**
     * What is asked for.
     *
     * @param nodeTypes labels; repeats allowed, the order is significant
     * @param reuse false: never take an existing ready node
     * @param provider the preferred provider, a wish and not a demand
     * @param relativePriority order among equal priorities, lower first; the requestor may change it while requested
     */
    public record Wanted(List<String> nodeTypes, boolean reuse, Optional<String> provider, int relativePriority) {
        public Wanted {
            nodeTypes = List.copyOf(nodeTypes);
        }

        /** The labels, any provider, ordinary order. */
        public static Wanted of(List<String> nodeTypes) {
            return new Wanted(nodeTypes, true, Optional.empty(), 0);
        }
    }

    /**
     * On whose behalf a request is made. Opaque to us, returned unchanged.
     *
     * @param requestor name of the requesting system, copied into nodes
     * @param data anything the requestor wants to find again
     * @param eventId for logs
     * @param createdTime when the requestor submitted it
     * @param tenantName whose limits it counts against, copied into nodes
     */
    public record Asker(
            Optional<String> requestor,
            JsonValue data,
            Optional<String> eventId,
            Optional<Instant> createdTime,
            Optional<String> tenantName) {

        /** Only a name. */
        public static Asker named(String requestor) {
            return new Asker(
                    Optional.of(requestor), JsonNull.NULL, Optional.empty(), Optional.empty(), Optional.empty());
        }
    }

    public NodeRequest {
        declinedBy = List.copyOf(declinedBy);
        nodes = List.copyOf(nodes);
    }

    /** A request that is not stored yet and has no id. */
    public static NodeRequest draft(Wanted wanted, Asker asker, Instant now) {
        return new NodeRequest("", wanted, asker, RequestState.REQUESTED, now, List.of(), List.of(), Stored.NEVER);
    }

    /** The text before the hyphen; the whole id if there is none. */
    public String priority() {
        int hyphen = id.indexOf('-');
        return hyphen < 0 ? id : id.substring(0, hyphen);
    }

    /** The text after the hyphen; the whole id if there is none. */
    public String sequence() {
        return id.substring(id.indexOf('-') + 1);
    }

    /** Whether a launcher made this request to keep its stock of ready nodes. */
    public boolean isMinReady() {
        return asker.requestor().filter(MIN_READY::equals).isPresent();
    }

    public NodeRequest withId(String assigned) {
        return new NodeRequest(assigned, wanted, asker, state, stateTime, declinedBy, nodes, stored);
    }

    public NodeRequest withState(RequestState next, Instant now) {
        return new NodeRequest(id, wanted, asker, next, now, declinedBy, nodes, stored);
    }

    public NodeRequest withNodes(List<String> ids) {
        return new NodeRequest(id, wanted, asker, state, stateTime, declinedBy, ids, stored);
    }

    public NodeRequest withStored(Stored as) {
        return new NodeRequest(id, wanted, asker, state, stateTime, declinedBy, nodes, as);
    }

    /** A copy that {@code launcherId} has declined; the same if it had already. */
    public NodeRequest declinedAlsoBy(String launcherId) {
        if (declinedBy.contains(launcherId)) {
            return this;
        }
        List<String> more = new ArrayList<>(declinedBy);
        more.add(launcherId);
        return new NodeRequest(id, wanted, asker, state, stateTime, more, nodes, stored);
    }
}
