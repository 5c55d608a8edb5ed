package nodepool.launcher;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import nodepool.api.quota.QuotaInformation;
import nodepool.api.request.NodeRequest;

/**
 * What this pool leaves to requests that only other pools can serve: the first such request of a tenant with a limit keeps
 * its room below that limit against those of the same tenant behind it, so that they do not take it for ever. All launchers
 * judge by the same records. What labels of other pools use is not known here, so servers alone are counted.
 */
final class TenantQueue {

    private final Map<String, NodeRequest> first = new HashMap<>();
    private final Map<String, QuotaInformation> room;

    /**
     * @param waiting every waiting request
     * @param view of this pool
     */
    TenantQueue(List<Judging.Judged> waiting, PoolView view, TenantLedger tenants) {
        this.room = view.tenantRoom();
        if (room.isEmpty()) {
            return;
        }
        for (Judging.Judged judged : waiting) {
            NodeRequest request = judged.request();
            if (judged.missing() > 0 && isReadyElsewhere(request, view)) {
                request.asker()
                        .tenantName()
                        .filter(tenant -> tenants.couldFit(tenant, servers(request)))
                        .ifPresent(tenant -> first.merge(tenant, request, TenantQueue::earlier));
            }
        }
    }

    /** A pool that can serve it and is not paused has no other reason to leave it. */
    private static boolean isReadyElsewhere(NodeRequest request, PoolView view) {
        return view.others().stream()
                .anyMatch(other -> !other.paused()
                        && !request.declinedBy().contains(other.id())
                        && other.supportedLabels().containsAll(request.wanted().nodeTypes()));
    }

    private static NodeRequest earlier(NodeRequest one, NodeRequest other) {
        return NodeRequest.ORDER.compare(one, other) <= 0 ? one : other;
    }

    private static QuotaInformation servers(NodeRequest request) {
        return QuotaInformation.needs(0, request.wanted().nodeTypes().size(), 0);
    }

    /** Whether it would take the room of a request of the same tenant that came before it. */
    boolean isBehind(NodeRequest request) {
        Optional<String> tenant = request.asker().tenantName();
        Optional<NodeRequest> ahead = tenant.flatMap(name -> Optional.ofNullable(first.get(name)))
                .filter(one -> NodeRequest.ORDER.compare(one, request) < 0);
        return ahead.isPresent()
                && room.getOrDefault(tenant.orElse(""), QuotaInformation.UNLIMITED)
                        .minus(servers(ahead.get()))
                        .minus(servers(request))
                        .exceeded()
                        .isPresent();
    }
}
