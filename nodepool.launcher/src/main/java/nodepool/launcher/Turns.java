package nodepool.launcher;

import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import nodepool.api.request.NodeRequest;

/**
 * Keeps a request of low priority from waiting for ever behind a stream of higher ones. Priorities decide nine times out of
 * ten: when {@value #IN_A_ROW} requests in a row were taken although an older one waited, the next turn is that of the
 * request that has waited longest, whatever its priority. So with <i>k</i> older requests before it, a request is passed by
 * at most {@code IN_A_ROW * (k + 1)} younger ones in one pool. Confined to the pool's loop.
 */
final class Turns {

    static final int IN_A_ROW = 9;

    private int passes;

    /** The request whose turn it is before all others, among those the pool could serve. */
    Optional<NodeRequest> before(List<NodeRequest> servable) {
        return passes < IN_A_ROW ? Optional.empty() : oldest(servable);
    }

    /** One was taken while these waited. */
    void taken(NodeRequest request, List<NodeRequest> servable) {
        boolean passed = oldest(servable)
                .filter(old -> old.sequence().compareTo(request.sequence()) < 0)
                .isPresent();
        passes = passed ? passes + 1 : 0;
    }

    /** Stock is made when nobody waits, so such a request has no turn. */
    private static Optional<NodeRequest> oldest(List<NodeRequest> servable) {
        return servable.stream()
                .filter(request -> !request.isMinReady())
                .min(Comparator.comparing(NodeRequest::sequence));
    }
}
