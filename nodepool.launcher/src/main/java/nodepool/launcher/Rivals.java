package nodepool.launcher;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import nodepool.api.node.Node;
import nodepool.api.quota.QuotaInformation;
import nodepool.api.registry.Registration;
import nodepool.api.request.NodeRequest;
import nodepool.api.request.RequestState;
import nodepool.api.store.Snapshot;

/**
 * What this pool leaves to requests that others hold in the same pool: other launchers with the same provider, or this one.
 * All launchers judge by the same records and in the same order, so exactly one of several goes on.
 *
 * @param snapshot everything
 * @param view of this pool
 */
record Rivals(Snapshot snapshot, PoolView view) {

    /**
     * The requests that other launchers hold for this pool and that wait for room, in order. Room for those before it must be
     * left by whoever takes a request here, so each is passed by at most the one request every launcher had taken before.
     *
     * @param ours whether this process holds that request
     */
    List<NodeRequest> waitingElsewhere(Predicate<NodeRequest> ours) {
        if (view.others().stream().noneMatch(this::isWaitingTwin)) {
            return List.of();
        }
        return snapshot.requests().stream()
                .filter(request -> request.state() == RequestState.PENDING && !ours.test(request))
                .filter(request -> view.labels().containsAll(request.wanted().nodeTypes()))
                .filter(request ->
                        snapshot.nodesAllocatedTo(request.id()).stream().allMatch(this::isHere))
                .filter(request -> !missing(request).equals(QuotaInformation.NOTHING))
                .toList();
    }

    private boolean isWaitingTwin(Registration.Pool other) {
        return other.paused()
                && !other.id().equals(view.launcherId())
                && other.provider().equals(view.provider())
                && other.name().filter(view.pool().name()::equals).isPresent();
    }

    /** What the nodes will use that a request does not have yet. */
    QuotaInformation missing(NodeRequest request) {
        List<String> labels = new ArrayList<>(request.wanted().nodeTypes());
        snapshot.nodesAllocatedTo(request.id())
                .forEach(node -> node.types().stream()
                        .filter(labels::contains)
                        .findFirst()
                        .ifPresent(labels::remove));
        return labels.stream()
                .map(label -> view.facts().need(view.pool().name(), label))
                .reduce(QuotaInformation.NOTHING, QuotaInformation::plus);
    }

    private boolean isHere(Node node) {
        return node.isIn(view.provider(), view.pool().name());
    }

    /**
     * Whether the pool is full of nodes that wait for each other: all belong to requests that are not complete, and this is
     * not the first of those, so it must give its nodes back.
     */
    boolean mustYield(NodeRequest mine) {
        boolean before = false;
        for (Node node : snapshot.nodesOf(view.provider())) {
            if (!isHere(node)) {
                continue;
            }
            Optional<NodeRequest> holder = node.allocation()
                    .allocatedTo()
                    .flatMap(snapshot::request)
                    .filter(request -> request.state() == RequestState.PENDING);
            switch (node.state()) {
                case READY, BUILDING -> {
                    if (holder.isEmpty()) {
                        return false;
                    }
                    before |= NodeRequest.ORDER.compare(holder.get(), mine) < 0;
                }
                case HOLD -> {}
                default -> {
                    return false;
                }
            }
        }
        return before;
    }
}
