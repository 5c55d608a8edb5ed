package nodepool.launcher;

import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Predicate;
import nodepool.api.driver.PoolConfig;
import nodepool.api.node.Node;
import nodepool.api.quota.QuotaInformation;
import nodepool.api.store.Snapshot;
import nodepool.api.verdict.Reason;
import org.jspecify.annotations.Nullable;

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

    private static final Reason UNKNOWN =
            Reason.of(Reason.Code.QUOTA_FULL, "the connection to ZooKeeper broke before it was known to have room");

    /**
     * @param ours just recorded
     * @param snapshot shows every node with a smaller id that still exists
     * @return why it must go; absent if it may stay
     */
    Optional<Reason> of(Node ours, Snapshot snapshot) {
        String provider = ours.place().provider().orElse("");
        Collection<Node> here = snapshot.nodesOf(provider);
        Optional<Reason> no = check(
                ours,
                here,
                pool.limits(),
                node -> isBefore(node, ours) && node.isIn(provider, pool.name()),
                this::uses,
                "pool " + pool.name());
        if (no.isEmpty() && !pool.ignoreProviderQuota()) {
            no = check(ours, here, providerLimits, node -> isBefore(node, ours), this::uses, "provider " + provider);
        }
        for (Map.Entry<String, QuotaInformation> limit : tenantLimits.entrySet()) {
            Optional<String> tenant = Optional.of(limit.getKey());
            if (no.isEmpty() && ours.allocation().tenantName().equals(tenant)) {
                no = check(
                        ours,
                        snapshot.nodes(),
                        limit.getValue(),
                        node -> isBefore(node, ours)
                                && node.allocation().tenantName().equals(tenant),
                        Overshoot::charged,
                        "tenant " + limit.getKey());
            }
        }
        return no;
    }

    /**
     * One of the answers below when the snapshot may be missing because the connection broke: what is not known to have room
     * has none.
     */
    static Optional<Reason> ifShown(@Nullable Snapshot snapshot, Function<Snapshot, Optional<Reason>> answer) {
        return snapshot == null ? Optional.of(UNKNOWN) : answer.apply(snapshot);
    }

    /** Whether that node's tenant has a limit. */
    boolean limitsTenantOf(Node node) {
        return node.allocation().tenantName().filter(tenantLimits::containsKey).isPresent();
    }

    /**
     * The same for a ready node that was just allocated. It may be older than nodes that were allowed before it, so all of its
     * tenant count.
     *
     * @param ours as recorded
     * @param snapshot shows every node that was recorded before the allocation
     * @return why the allocation must be undone; absent if it may stay
     */
    Optional<Reason> ofReuse(Node ours, Snapshot snapshot) {
        Optional<String> tenant = ours.allocation().tenantName();
        QuotaInformation limits = tenantLimits.getOrDefault(tenant.orElse(""), QuotaInformation.UNLIMITED);
        return check(
                ours,
                snapshot.nodes(),
                limits,
                node -> !node.id().equals(ours.id())
                        && node.allocation().tenantName().equals(tenant),
                Overshoot::charged,
                "tenant " + tenant.orElse(""));
    }

    private Optional<Reason> check(
            Node ours,
            Collection<Node> nodes,
            QuotaInformation limits,
            Predicate<Node> counts,
            Function<Node, QuotaInformation> amount,
            String where) {
        QuotaInformation asked = amount.apply(ours);
        if (limits.amounts().isEmpty() || asked.equals(QuotaInformation.NOTHING)) {
            return Optional.empty();
        }
        QuotaInformation before = QuotaInformation.NOTHING;
        for (Node node : nodes) {
            if (counts.test(node)) {
                before = before.plus(amount.apply(node));
            }
        }
        QuotaInformation used = before;
        return limits.minus(used)
                .minus(asked)
                .exceeded()
                .map(resource -> Reason.of(
                        Reason.Code.QUOTA_FULL,
                        "%s: %s: asked %.0f, used %.0f of %.0f; another launcher was faster"
                                .formatted(
                                        where, resource, asked.of(resource), used.of(resource), limits.of(resource))));
    }

    private static boolean isBefore(Node node, Node ours) {
        return node.id().compareTo(ours.id()) < 0;
    }

    /** Tenants are charged what nodes say themselves; static nodes say nothing. */
    private static QuotaInformation charged(Node node) {
        return node.machine().resources().orElse(QuotaInformation.NOTHING);
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
