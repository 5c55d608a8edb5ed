package nodepool.metrics.source;

import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import nodepool.api.node.Node;
import nodepool.api.request.NodeRequest;
import nodepool.api.store.Snapshot;
import nodepool.metrics.Catalogue;
import nodepool.metrics.Meter;

/**
 * Measures how long nodes and requests stay in a state, from one snapshot to the next. A state that came and went between two
 * snapshots is not seen. Confined to one thread.
 */
final class PhaseTimes {

    private final Meter meter;
    private Map<String, Phase> nodes = Map.of();
    private Map<String, Phase> requests = Map.of();

    PhaseTimes(Meter meter) {
        this.meter = meter;
    }

    private record Phase(String state, Instant since, String provider) {

        static Phase of(Node node) {
            return new Phase(
                    node.state().wireName(),
                    node.stateTime(),
                    node.place().provider().orElse(""));
        }

        static Phase of(NodeRequest request) {
            return new Phase(request.state().wireName(), request.stateTime(), "");
        }
    }

    /** Compares with the last snapshot; what is gone left its state now. */
    void look(Snapshot snapshot, Instant now) {
        Map<String, Phase> seenNodes = new HashMap<>();
        snapshot.nodes().forEach(node -> seenNodes.put(node.id(), Phase.of(node)));
        nodes.forEach((id, phase) -> left(phase, Optional.ofNullable(seenNodes.get(id)), now)
                .ifPresent(stay -> meter.time(
                        Catalogue.NODE_PHASE, stay, Map.of("provider", phase.provider(), "state", phase.state()))));
        nodes = seenNodes;
        Map<String, Phase> seenRequests = new HashMap<>();
        snapshot.requests().forEach(request -> seenRequests.put(request.id(), Phase.of(request)));
        requests.forEach((id, phase) -> left(phase, Optional.ofNullable(seenRequests.get(id)), now)
                .ifPresent(stay -> meter.time(Catalogue.REQUEST_WAIT, stay, Map.of("state", phase.state()))));
        requests = seenRequests;
    }

    /** Forgets everything: after a gap nobody knows when a state was left. */
    void forget() {
        nodes = Map.of();
        requests = Map.of();
    }

    private static Optional<Duration> left(Phase before, Optional<Phase> after, Instant now) {
        if (after.isPresent() && after.get().state().equals(before.state())) {
            return Optional.empty();
        }
        return Optional.of(
                Duration.between(before.since(), after.map(Phase::since).orElse(now)));
    }
}
