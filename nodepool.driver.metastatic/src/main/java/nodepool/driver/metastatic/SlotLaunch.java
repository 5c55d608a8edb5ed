package nodepool.driver.metastatic;

import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import nodepool.api.driver.CloudException;
import nodepool.api.driver.CloudException.Fault;
import nodepool.api.driver.Launch;
import nodepool.api.driver.ProviderContext;
import nodepool.api.driver.Step;
import nodepool.api.request.NodeRequest;
import nodepool.api.request.RequestState;
import nodepool.api.store.Snapshot;

/**
 * Gets one node its slot. Each step looks at the records afresh; it only remembers which request the node waits for, to
 * notice when that one fails.
 */
final class SlotLaunch {

    private static final String REQUEST = "request";
    private static final Duration PAUSE = Duration.ofSeconds(1);

    private final MetastaticConfig config;
    private final ProviderContext context;
    private final BackingNodes nodes;
    private final BackingRequests requests;

    SlotLaunch(MetastaticConfig config, ProviderContext context, BackingNodes nodes, BackingRequests requests) {
        this.config = config;
        this.context = context;
        this.nodes = nodes;
        this.requests = requests;
    }

    /** One step: a slot if there is one, else one more backing node if it falls to this node to ask for it, else a wait. */
    Step step(Launch launch, Map<String, String> memo) throws CloudException {
        String id = launch.node().id();
        Optional<Snapshot> current = context.snapshots().current();
        if (current.isEmpty()) {
            return again(id, Optional.ofNullable(memo.get(REQUEST)));
        }
        if (!(launch.label() instanceof MetastaticLabel label)) {
            throw new CloudException(
                    Fault.BAD_REQUEST,
                    "label %s is not a metastatic one".formatted(launch.label().name()));
        }
        Snapshot snapshot = current.get();
        Optional<Seat> seat = nodes.seat(id, label, snapshot);
        if (seat.isPresent()) {
            return new Step.Done(seat.get().instance(launch));
        }
        SlotTable table = nodes.table(snapshot);
        Demand demand =
                Demand.of(config, label, table, snapshot, context.clock().instant());
        for (NodeRequest open : demand.open()) {
            Optional<Seat> claimed = claim(open, label, id, table);
            if (claimed.isPresent()) {
                return new Step.Done(claimed.get().instance(launch));
            }
        }
        return goOnWaiting(id, label, demand, snapshot, Optional.ofNullable(memo.get(REQUEST)));
    }

    /** A fulfilled request has done its duty when its node is ours; one whose node we cannot get in time is given up. */
    private Optional<Seat> claim(NodeRequest open, MetastaticLabel label, String id, SlotTable table)
            throws CloudException {
        if (open.state() != RequestState.FULFILLED) {
            return Optional.empty();
        }
        boolean done = open.nodes().stream().anyMatch(table::contains);
        Optional<Seat> seat = done ? Optional.empty() : nodes.claim(open, label, id);
        if (done || seat.isPresent() || requests.isOverdue(open)) {
            requests.delete(open);
        }
        return seat;
    }

    private Step goOnWaiting(
            String id, MetastaticLabel label, Demand demand, Snapshot snapshot, Optional<String> before)
            throws CloudException {
        Optional<NodeRequest> awaited = before.isEmpty() ? Optional.empty() : requests.find(before.get(), snapshot);
        if (awaited.filter(request -> request.state() == RequestState.FAILED).isPresent()) {
            throw new CloudException(
                    Fault.MACHINE_FAILED,
                    "Backing node failed: request %s for label %s"
                            .formatted(before.get(), label.backing().label()));
        }
        Optional<String> next = demand.requestFor(id).or(() -> awaited).map(NodeRequest::id);
        if (next.isEmpty() && demand.asks(id)) {
            next = Optional.of(requests.create(label).id());
        }
        return again(id, next);
    }

    /** The node itself is its machine: its id is known from the start. */
    private static Step again(String id, Optional<String> request) {
        return new Step.Again(
                request.map(awaited -> Map.of(REQUEST, awaited)).orElse(Map.of()), Optional.of(id), PAUSE);
    }
}
