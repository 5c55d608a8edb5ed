package nodepool.launcher;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import nodepool.api.node.Node;
import nodepool.api.quota.QuotaInformation;
import nodepool.api.store.Snapshot;
import nodepool.api.verdict.Reason;

/**
 * What tenants with a limit use, those requests included that this process has in hand and whose nodes no snapshot shows yet.
 * All pools of the process ask here, so that together they do not exceed a tenant's limit. Thread-safe.
 */
final class TenantLedger {

    private record Reservation(String tenant, QuotaInformation need) {}

    /** No id of a request. */
    private static final String NO_REQUEST = "-";

    private final Map<String, Reservation> reservations = new HashMap<>();
    private Map<String, QuotaInformation> limits = Map.of();
    private Map<String, Map<String, QuotaInformation>> used = Map.of();
    private long seen = -1;

    /** Takes the limits in force and the nodes of a newer snapshot as the truth. */
    synchronized void refresh(Snapshot snapshot, Map<String, QuotaInformation> now) {
        if (snapshot.number() == seen && now.equals(limits)) {
            return;
        }
        seen = snapshot.number();
        limits = now;
        Map<String, Map<String, QuotaInformation>> found = new HashMap<>();
        if (!limits.isEmpty()) {
            for (Node node : snapshot.nodes()) {
                node.allocation()
                        .tenantName()
                        .filter(limits::containsKey)
                        .ifPresent(tenant -> found.computeIfAbsent(tenant, none -> new HashMap<>())
                                .merge(
                                        node.allocation().allocatedTo().orElse(""),
                                        node.machine().resources().orElse(QuotaInformation.NOTHING),
                                        QuotaInformation::plus));
            }
        }
        used = found;
    }

    /** What each tenant that has a limit may use in addition; negative amounts if its limit was lowered. */
    synchronized Map<String, QuotaInformation> room() {
        Map<String, QuotaInformation> room = new HashMap<>();
        limits.keySet().forEach(tenant -> room.put(tenant, roomBeside(NO_REQUEST, tenant)));
        return room;
    }

    /**
     * What a tenant may use if one request, which need not be in hand, uses nothing. A request in hand counts with what it
     * needs, so its nodes are not counted once more.
     */
    private QuotaInformation roomBeside(String requestId, String tenant) {
        QuotaInformation room = limits.getOrDefault(tenant, QuotaInformation.UNLIMITED);
        for (Map.Entry<String, QuotaInformation> entry :
                used.getOrDefault(tenant, Map.of()).entrySet()) {
            String holder = entry.getKey();
            if (!reservations.containsKey(holder) && !holder.equals(requestId)) {
                room = room.minus(entry.getValue());
            }
        }
        for (Map.Entry<String, Reservation> entry : reservations.entrySet()) {
            if (entry.getValue().tenant().equals(tenant) && !entry.getKey().equals(requestId)) {
                room = room.minus(entry.getValue().need());
            }
        }
        return room;
    }

    /**
     * Sets room aside for a whole request, if there is room or the tenant has no limit. What it has already counts once.
     *
     * @return why not; absent if reserved
     */
    synchronized Optional<Reason> reserve(String requestId, String tenant, QuotaInformation need) {
        if (!limits.containsKey(tenant)) {
            return Optional.empty();
        }
        Optional<Reason> no = tooMuch(tenant, roomBeside(requestId, tenant), need);
        if (no.isEmpty()) {
            reservations.put(requestId, new Reservation(tenant, need));
        }
        return no;
    }

    /** Whether that much fits at all if the tenant uses nothing else. */
    synchronized boolean couldFit(String tenant, QuotaInformation need) {
        return tooMuch(tenant, limits.getOrDefault(tenant, QuotaInformation.UNLIMITED), need)
                .isEmpty();
    }

    /** The request is no longer in hand: from now on its nodes count as the snapshots show them. */
    synchronized void release(String requestId) {
        reservations.remove(requestId);
    }

    /** Why that much does not fit into that room; absent if it does. */
    static Optional<Reason> tooMuch(String tenant, QuotaInformation room, QuotaInformation need) {
        return room.minus(need)
                .exceeded()
                .map(resource -> Reason.of(
                        Reason.Code.TENANT_LIMIT,
                        "%s: asked %.0f, tenant %s may have %.0f more"
                                .formatted(resource, need.of(resource), tenant, Math.max(0, room.of(resource)))));
    }
}
