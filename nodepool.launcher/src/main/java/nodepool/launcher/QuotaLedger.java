package nodepool.launcher;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiFunction;
import nodepool.api.driver.PoolConfig;
import nodepool.api.node.Node;
import nodepool.api.quota.QuotaInformation;
import nodepool.api.store.Snapshot;
import nodepool.api.verdict.Reason;

/**
 * What a provider's nodes use, those included that this process is about to record but no snapshot shows yet. All pools of
 * the provider in this process ask here before they launch, so that together they do not exceed its quota. Thread-safe.
 */
final class QuotaLedger {

    private record Reservation(String pool, QuotaInformation need, Optional<String> nodeId) {}

    private final String provider;
    private final Map<Object, Reservation> reservations = new HashMap<>();
    /** Pools that were refused for lack of the provider's room, the first refused first, and what each waits for. */
    private final Map<String, QuotaInformation> refusals = new LinkedHashMap<>();

    private long seen = -1;
    private int machines;
    private QuotaInformation usedByProvider = QuotaInformation.NOTHING;
    private Map<String, QuotaInformation> usedByPool = Map.of();
    private boolean refused;

    QuotaLedger(String provider) {
        this.provider = provider;
    }

    /**
     * Takes the nodes of a newer snapshot as the truth; reservations it shows are dropped.
     *
     * @param need what a node without recorded resources uses, by pool and label
     */
    synchronized void refresh(Snapshot snapshot, BiFunction<String, String, QuotaInformation> need) {
        if (snapshot.number() == seen) {
            return;
        }
        seen = snapshot.number();
        reservations
                .values()
                .removeIf(entry -> entry.nodeId().flatMap(snapshot::node).isPresent());
        Map<String, QuotaInformation> pools = new HashMap<>();
        QuotaInformation total = QuotaInformation.NOTHING;
        int count = 0; // of nodes that have a machine: one that was refused makes no room when it goes
        for (Node node : snapshot.nodesOf(provider)) {
            String pool = node.place().pool().orElse("");
            QuotaInformation uses = node.machine()
                    .resources()
                    .orElseGet(() -> node.types().isEmpty()
                            ? QuotaInformation.NOTHING
                            : need.apply(pool, node.types().get(0)));
            total = total.plus(uses);
            pools.merge(pool, uses, QuotaInformation::plus);
            count += node.machine().externalId().isPresent() ? 1 : 0;
        }
        if (count < machines) {
            refused = false;
        }
        machines = count;
        usedByProvider = total;
        usedByPool = pools;
    }

    /**
     * Sets room aside for one node, if there is room.
     *
     * @param token names the reservation until {@link #release} or until a snapshot shows its node
     * @return why not; absent if reserved
     */
    synchronized Optional<Reason> reserve(
            Object token, PoolConfig pool, QuotaInformation need, QuotaInformation providerLimits) {
        if (refused) {
            return Optional.of(Reason.of(
                    Reason.Code.QUOTA_FULL, "the cloud refused the last node for lack of quota; waits for room"));
        }
        Optional<Reason> no = tooMuch(pool.limits(), inPool(pool.name()), need, "pool " + pool.name());
        if (no.isEmpty() && !pool.ignoreProviderQuota()) {
            no = tooMuch(providerLimits, inProvider().plus(promised(pool.name())), need, "provider " + provider);
            if (no.isPresent()) {
                refusals.putIfAbsent(pool.name(), need);
            }
        }
        if (no.isEmpty()) {
            refusals.remove(pool.name());
            reservations.put(token, new Reservation(pool.name(), need, Optional.empty()));
        }
        return no;
    }

    /** Nobody in that pool waits for room any more, so nothing is kept for it. */
    synchronized void waitsNoMore(String pool) {
        refusals.remove(pool);
    }

    /** What nodes of that pool use, those included that no snapshot shows yet. */
    synchronized QuotaInformation used(PoolConfig pool) {
        return inPool(pool.name());
    }

    /** What one more node of that pool may use. */
    synchronized QuotaInformation room(PoolConfig pool, QuotaInformation providerLimits) {
        QuotaInformation inPool = pool.limits().minus(inPool(pool.name()));
        return pool.ignoreProviderQuota() ? inPool : inPool.smallerOf(providerLimits.minus(inProvider()));
    }

    /** How many more nodes of that pool there is room for, each using that much; a large number if nothing limits them. */
    synchronized int fits(PoolConfig pool, QuotaInformation providerLimits, QuotaInformation need) {
        QuotaInformation room = room(pool, providerLimits);
        double nodes = Integer.MAX_VALUE;
        for (Map.Entry<String, Double> entry : need.amounts().entrySet()) {
            if (entry.getValue() > 0) {
                nodes = Math.min(nodes, Math.floor(room.of(entry.getKey()) / entry.getValue()));
            }
        }
        return refused ? 0 : (int) Math.max(0, nodes);
    }

    /** What was set aside for pools that were refused before this one, so that it does not take what they wait for. */
    private QuotaInformation promised(String pool) {
        QuotaInformation promised = QuotaInformation.NOTHING;
        for (Map.Entry<String, QuotaInformation> refusal : refusals.entrySet()) {
            if (refusal.getKey().equals(pool)) {
                break;
            }
            promised = promised.plus(refusal.getValue());
        }
        return promised;
    }

    private QuotaInformation inPool(String pool) {
        QuotaInformation sum = usedByPool.getOrDefault(pool, QuotaInformation.NOTHING);
        for (Reservation entry : reservations.values()) {
            if (entry.pool().equals(pool)) {
                sum = sum.plus(entry.need());
            }
        }
        return sum;
    }

    private QuotaInformation inProvider() {
        QuotaInformation sum = usedByProvider;
        for (Reservation entry : reservations.values()) {
            sum = sum.plus(entry.need());
        }
        return sum;
    }

    /** The reserved node was recorded under that id: the next snapshot that shows it takes over. */
    synchronized void recorded(Object token, String nodeId) {
        reservations.computeIfPresent(
                token, (same, entry) -> new Reservation(entry.pool(), entry.need(), Optional.of(nodeId)));
    }

    /** The reserved node will not come, or is gone. Repeating it does nothing. */
    synchronized void release(Object token) {
        reservations.remove(token);
    }

    /** The cloud refused a node for lack of quota: reserve nothing until a machine is gone or {@link #tryAgain()}. */
    synchronized void refused() {
        refused = true;
    }

    /** Limits were read afresh, or enough time has passed. */
    synchronized void tryAgain() {
        refused = false;
    }

    private static Optional<Reason> tooMuch(
            QuotaInformation limits, QuotaInformation used, QuotaInformation need, String where) {
        QuotaInformation free = limits.minus(used);
        return free.minus(need)
                .exceeded()
                .map(resource -> Reason.of(
                        Reason.Code.QUOTA_FULL,
                        "%s: %s: asked %.0f, used %.0f of %.0f"
                                .formatted(
                                        where, resource, need.of(resource), used.of(resource), limits.of(resource))));
    }
}
