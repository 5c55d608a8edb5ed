package nodepool.launcher;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import nodepool.api.request.NodeRequest;
import nodepool.api.request.RequestState;
import nodepool.api.store.Snapshot;
import nodepool.api.verdict.Verdict;

/**
 * The waiting requests in the pool's order, each with the pool's answer apart from room and stock. With thousands waiting,
 * an answer is worked out anew only when the request, or what all answers depend on, has changed. Confined to the pool's
 * loop.
 */
final class Judging {

    /**
     * @param request as the snapshot shows it
     * @param missing how many of its labels the pool does not have
     * @param verdict the pool's answer if there is room
     */
    record Judged(NodeRequest request, int missing, Verdict verdict) {

        private boolean isOf(NodeRequest now) {
            return request.stored().transaction() == now.stored().transaction();
        }
    }

    private Map<String, Judged> known = Map.of();
    private Optional<PoolView> basis = Optional.empty();

    /** Those the pool could serve come first, in the requests' own order; then the others, fewest missing labels first. */
    List<Judged> look(Snapshot snapshot, PoolView view) {
        boolean same = basis.filter(view::equals).isPresent();
        basis = Optional.of(view);
        Map<String, Judged> judged = new HashMap<>();
        List<Judged> servable = new ArrayList<>();
        List<Judged> others = new ArrayList<>();
        for (NodeRequest request : snapshot.requests()) {
            if (request.state() == RequestState.REQUESTED) {
                Judged before = known.get(request.id());
                Judged now = same && before != null && before.isOf(request) ? before : judge(request, view);
                judged.put(request.id(), now);
                (now.missing() == 0 ? servable : others).add(now);
            }
        }
        known = judged;
        others.sort(Comparator.comparing(Judged::missing));
        servable.addAll(others);
        return servable;
    }

    private static Judged judge(NodeRequest request, PoolView view) {
        return new Judged(request, Placement.missingLabels(request, view.labels()), Placement.judge(request, view));
    }
}
