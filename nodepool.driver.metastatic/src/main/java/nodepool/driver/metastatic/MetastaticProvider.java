package nodepool.driver.metastatic;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Supplier;
import nodepool.api.driver.CloudException;
import nodepool.api.driver.Instance;
import nodepool.api.driver.NodeRequestHandler;
import nodepool.api.driver.PoolConfig;
import nodepool.api.driver.Provider;
import nodepool.api.driver.ProviderContext;
import nodepool.api.driver.ProviderNotifications;
import nodepool.api.driver.Step;
import nodepool.api.node.Node;
import nodepool.api.node.NodeState;
import nodepool.api.quota.QuotaInformation;
import nodepool.api.request.NodeRequest;
import nodepool.api.store.Snapshot;

/** Makes nodes of slots. All it knows is in the records, so there is nothing to hand over or to recover. */
final class MetastaticProvider implements Provider {

    private static final Duration PAUSE = Duration.ofSeconds(1);

    private final ProviderContext context;
    private final BackingNodes nodes;
    private final SlotLaunch launch;
    private final Upkeep upkeep;

    /** @param random makes ids under which our requests appear in logs */
    MetastaticProvider(MetastaticConfig config, ProviderContext context, Supplier<UUID> random) {
        this.context = context;
        this.nodes = new BackingNodes(config, context);
        BackingRequests requests = new BackingRequests(config, context, random);
        this.launch = new SlotLaunch(config, context, nodes, requests);
        this.upkeep = new Upkeep(config, context, nodes, requests);
    }

    @Override
    public void start() {
        upkeep.wake();
    }

    @Override
    public void idle() {
        upkeep.stop();
    }

    /** Slots and backing nodes know each other by records that nobody else understands: it stays until none is left. */
    @Override
    public boolean drain(Snapshot snapshot) throws CloudException {
        return upkeep.drain(snapshot);
    }

    @Override
    public void stop() {
        idle();
    }

    @Override
    public NodeRequestHandler getRequestHandler(PoolConfig pool, NodeRequest request) {
        return new MetastaticRequestHandler(context.snapshots(), launch);
    }

    /**
     * Frees the node's slot. A node that is still being made has had an attempt fail: if it had a slot by then, its backing
     * node could not be used.
     */
    @Override
    public Step cleanupNode(Node node, Map<String, String> memo) throws CloudException {
        Optional<Snapshot> snapshot = context.snapshots().current();
        if (snapshot.isEmpty()) {
            return new Step.Again(memo, node.machine().externalId(), PAUSE);
        }
        for (BackingNode backing : nodes.table(snapshot.get()).naming(node.id())) {
            if (node.state() == NodeState.BUILDING) {
                upkeep.failed(backing.id(), node.id(), snapshot.get());
            } else {
                nodes.leave(backing.id(), node.id(), snapshot.get());
            }
        }
        return new Step.Gone();
    }

    /** None: every machine is another provider's, which accounts for it and sweeps it. */
    @Override
    public List<Instance> listNodes() {
        return List.of();
    }

    @Override
    public QuotaInformation getQuotaForLabel(PoolConfig pool, String label) {
        return Seat.USES;
    }

    @Override
    public void cleanupLeakedResources(Snapshot snapshot) throws CloudException {
        upkeep.pass(snapshot);
    }

    @Override
    public Optional<ProviderNotifications> notifications() {
        return Optional.of(upkeep);
    }
}
