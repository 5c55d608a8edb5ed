package nodepool.launcher;

import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Predicate;
import nodepool.api.driver.PoolConfig;
import nodepool.api.node.Node;
import nodepool.api.quota.QuotaInformation;
import nodepool.api.store.Snapshot;
import nodepool.api.verdict.Reason;

/**
 * Tells which of several launchers' new nodes is one too many. Launchers decide on their own that there is room, so at a
 * limit two may record a node for the last place. Node ids rise in the order in which the store took them, so all launchers
 * agree on who came first: a node stays if it fits beside all nodes with smaller ids, else its launcher withdraws it before
 * it asks the cloud for a machine.
 *
 * @param pool the node's pool
 * @param providerLimits the place's own limits less what others use there
 * @param tenantLimits by tenant name
 * @param need what a node without recorded resources uses, by pool and label
 */
record Overshoot(
        PoolConfig pool,
        QuotaInformation providerLimits,
        Map<String, QuotaInformation> tenantLimits,
        BiFunction<String, String, QuotaInformation> need) {

    /**
     * @param ours just recorded
     * @param snapshot shows every node with a smaller id that still exists
     * @return why it must go; absent if it may stay
     */
    Optional<Reason> of(Node ours, Snapshot snapshot) {
        String provider = ours.place().provider().orElse("");
        Collection<Node> here = snapshot.nodesOf(provider);
        Optional<Reason> no =
                check(ours, here, pool.limits(), node -> node.isIn(provider, pool.name()), "pool " + pool.name());
        if (no.isEmpty() && !pool.ignoreProviderQuota()) {
            no = check(ours, here, providerLimits, node -> true, "provider " + provider);
        }
        for (Map.Entry<String, QuotaInformation> limit : tenantLimits.entrySet()) {
            Optional<String> tenant = Optional.of(limit.getKey());
            if (no.isEmpty() && ours.allocation().tenantName().equals(tenant)) {
                no = check(
                        ours,
                        snapshot.nodes(),
                        limit.getValue(),
                        node -> node.allocation().tenantName().equals(tenant),
                        "tenant " + limit.getKey());
            }
        }
        return no;
    }

    private Optional<Reason> check(
            Node ours, Collection<Node> nodes, QuotaInformation limits, Predicate<Node> counts, String where) {
        if (limits.amounts().isEmpty()) {
            return Optional.empty();
        }
        QuotaInformation before = QuotaInformation.NOTHING;
        for (Node node : nodes) {
            if (node.id().compareTo(ours.id()) < 0 && counts.test(node)) {
                before = before.plus(uses(node));
            }
        }
        QuotaInformation used = before;
        QuotaInformation asked = uses(ours);
        return limits.minus(used)
                .minus(asked)
                .exceeded()
                .map(resource -> Reason.of(
                        Reason.Code.QUOTA_FULL,
                        "%s: %s: asked %.0f, used %.0f of %.0f; another launcher was faster"
                                .formatted(
                                        where, resource, asked.of(resource), used.of(resource), limits.of(resource))));
    }

    private QuotaInformation uses(Node node) {
        return node.machine()
                .resources()
                .orElseGet(() -> node.types().isEmpty()
                        ? QuotaInformation.NOTHING
                        : need.apply(
                                node.place().pool().orElse(""), node.types().get(0)));
    }
}
