package nodepool.driver.statemachine;

import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.IntUnaryOperator;
import nodepool.api.driver.CloudException;
import nodepool.api.driver.Instance;
import nodepool.api.driver.LabelConfig;
import nodepool.api.driver.Launch;
import nodepool.api.driver.NodeRequestHandler;
import nodepool.api.driver.PoolConfig;
import nodepool.api.driver.Provider;
import nodepool.api.driver.ProviderContext;
import nodepool.api.driver.Step;
import nodepool.api.node.Node;
import nodepool.api.quota.QuotaInformation;
import nodepool.api.request.NodeRequest;
import nodepool.api.store.Snapshot;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A provider made of an {@link Adapter}. */
public final class StateMachineProvider implements Provider {

    /** The zones of a pool, in which all nodes of one request are kept together. */
    @FunctionalInterface
    public interface Zones {
        /** The configured zones; empty: ask the cloud. */
        List<String> of(PoolConfig pool);
    }

    private final Logger log;
    private final String name;
    private final Adapter adapter;
    private final ProviderContext context;
    private final Zones zones;
    private final IntUnaryOperator random;
    private volatile List<String> cloudZones = List.of();
    private Set<String> suspects = Set.of();

    /**
     * @param name of the provider
     * @param random a number from 0 below its argument
     */
    public StateMachineProvider(
            String name, Adapter adapter, ProviderContext context, Zones zones, IntUnaryOperator random) {
        this.log = LoggerFactory.getLogger("nodepool.StateMachineProvider." + name);
        this.name = name;
        this.adapter = adapter;
        this.context = context;
        this.zones = zones;
        this.random = random;
    }

    @Override
    public void start() throws CloudException {
        cloudZones = List.copyOf(adapter.getAZs());
    }

    @Override
    public void stop() {
        adapter.stop();
    }

    @Override
    public NodeRequestHandler getRequestHandler(PoolConfig pool, NodeRequest request) {
        return new Handler(pool);
    }

    private final class Handler implements NodeRequestHandler {
        private final PoolConfig pool;

        Handler(PoolConfig pool) {
            this.pool = pool;
        }

        @Override
        public boolean checkReusableNode(Node node, Collection<Node> others) {
            Optional<String> zone = zone(others);
            return zone.isEmpty()
                    || node.place().az().isEmpty()
                    || node.place().az().equals(zone);
        }

        @Override
        public Node setNodeMetadata(Node draft, Collection<Node> others) {
            return draft.withPlace(draft.place().withAz(zone(others).or(this::anyZone)));
        }

        private Optional<String> zone(Collection<Node> others) {
            return others.stream().flatMap(other -> other.place().az().stream()).findFirst();
        }

        private Optional<String> anyZone() {
            List<String> choice = zones.of(pool).isEmpty() ? cloudZones : zones.of(pool);
            return choice.isEmpty() ? Optional.empty() : Optional.of(choice.get(random.applyAsInt(choice.size())));
        }

        @Override
        public Step launch(Launch launch, Map<String, String> memo) throws CloudException {
            return adapter.getCreateStateMachine(launch, launch.node().place().az())
                    .advance(memo);
        }
    }

    @Override
    public Step cleanupNode(Node node, Map<String, String> memo) throws CloudException {
        Optional<String> id = node.machine().externalId();
        return id.isEmpty()
                ? new Step.Gone()
                : adapter.getDeleteStateMachine(id.get()).advance(memo);
    }

    @Override
    public List<Instance> listNodes() throws CloudException {
        return adapter.listInstances();
    }

    @Override
    public QuotaInformation getQuotaLimits() throws CloudException {
        return adapter.getQuotaLimits();
    }

    @Override
    public QuotaInformation getQuotaForLabel(PoolConfig pool, String label) throws CloudException {
        return adapter.getQuotaForLabel(config(pool, label));
    }

    @Override
    public boolean labelReady(PoolConfig pool, String label) throws CloudException {
        return adapter.labelReady(config(pool, label));
    }

    private static LabelConfig config(PoolConfig pool, String label) throws CloudException {
        return pool.label(label)
                .orElseThrow(() -> new CloudException(
                        CloudException.Fault.BAD_REQUEST, "pool " + pool.name() + " has no label " + label));
    }

    @Override
    public Optional<String> getConsoleLog(Node node) throws CloudException {
        Optional<String> id = node.machine().externalId();
        return id.isEmpty() ? Optional.empty() : adapter.getConsoleLog(id.get());
    }

    /**
     * Removes what carries our provider's name and a node id that no record has, when it did so twice in a row: a record may
     * be younger than the listing.
     */
    @Override
    public synchronized void cleanupLeakedResources(Snapshot snapshot) throws CloudException {
        Set<String> leaked = new HashSet<>();
        for (Resource resource : adapter.listResources()) {
            String node = resource.metadata().get(Launch.NODE_ID);
            boolean ours = name.equals(resource.metadata().get(Launch.PROVIDER_NAME));
            if (ours && node != null && isUnknown(node, snapshot)) {
                String key = resource.type() + "/" + resource.id();
                if (suspects.contains(key) && isUnknownNow(node)) {
                    log.warn("Deleting leaked {} {} of node {}", resource.type(), resource.id(), node);
                    adapter.deleteResource(resource);
                } else {
                    leaked.add(key);
                }
            }
        }
        suspects = leaked;
    }

    private static boolean isUnknown(String node, Snapshot snapshot) {
        return snapshot.node(node).isEmpty();
    }

    private boolean isUnknownNow(String node) {
        return context.snapshots().current().filter(now -> isUnknown(node, now)).isPresent();
    }
}
