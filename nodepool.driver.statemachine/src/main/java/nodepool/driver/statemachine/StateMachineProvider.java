package nodepool.driver.statemachine;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.IntUnaryOperator;
import java.util.function.LongSupplier;
import nodepool.api.driver.CloudException;
import nodepool.api.driver.CloudException.Fault;
import nodepool.api.driver.Instance;
import nodepool.api.driver.LabelConfig;
import nodepool.api.driver.Launch;
import nodepool.api.driver.ManagedImages;
import nodepool.api.driver.NodeRequestHandler;
import nodepool.api.driver.PoolConfig;
import nodepool.api.driver.Provider;
import nodepool.api.driver.ProviderContext;
import nodepool.api.driver.ProviderNotifications;
import nodepool.api.driver.Step;
import nodepool.api.event.Event;
import nodepool.api.node.Node;
import nodepool.api.quota.QuotaInformation;
import nodepool.api.request.NodeRequest;
import nodepool.api.store.Snapshot;
import nodepool.api.verdict.Reason;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A provider made of an {@link Adapter}. It holds no machine: each step is made from the stored memory alone. Every call
 * into the adapter has a deadline, {@link Adapter#callTimeout}; a cloud that does not answer is shown as trouble and spared
 * until it does.
 */
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
    private final CloudHealth health;
    private final CallWatch watch;
    private final LeakSweep leaks;
    private volatile List<String> cloudZones = List.of();
    private volatile boolean idle;

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
        LongSupplier ticks = ClockTicks.of(context.clock());
        this.health = new CloudHealth(ticks, this::healthChanged);
        this.watch = new CallWatch(name, adapter.callTimeout(), health, ticks, context.events(), context.redaction());
        this.leaks = new LeakSweep(name, context);
    }

    private void healthChanged(Optional<Reason> trouble) {
        if (trouble.isPresent()) {
            log.warn("Provider {} is degraded: {}", name, trouble.get().detail());
        } else {
            log.info("Provider {} answers again", name);
        }
        context.events().on(new Event.ProviderChanged(name, trouble));
    }

    @Override
    public void start() throws CloudException {
        readZones();
    }

    private void readZones() throws CloudException {
        cloudZones = List.copyOf(watch.call("getAZs", adapter::getAZs));
    }

    /** What was asked for may lie in a zone that is no more: whoever asks after this failure gets another. */
    private void readZonesAgain() {
        try {
            readZones();
        } catch (CloudException e) {
            log.warn("getAZs failed: {}", e.getMessage());
        }
    }

    @Override
    public void idle() {
        idle = true;
    }

    @Override
    public void stop() {
        try {
            watch.drain();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        adapter.stop();
        watch.close();
    }

    @Override
    public Optional<Reason> trouble() {
        return health.trouble();
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
            try {
                return watch.call(
                        "a step of making node " + launch.node().id(),
                        () -> adapter.getCreateStateMachine(
                                        launch, launch.node().place().az())
                                .advance(memo));
            } catch (CloudException e) {
                boolean noRoom = e.fault() == Fault.QUOTA || e.fault() == Fault.RATE_LIMIT;
                if (!noRoom && !cloudZones.isEmpty() && zones.of(pool).isEmpty()) {
                    readZonesAgain();
                }
                throw e;
            }
        }
    }

    /** Work nobody waits for. */
    private void inBackground(String what, Upkeep work) {
        try {
            context.executor().execute(() -> {
                try {
                    work.run();
                } catch (CloudException e) {
                    log.warn("{} failed: {}", what, e.getMessage());
                }
            });
        } catch (RejectedExecutionException stopped) {
            log.debug("{} left out: the provider is being stopped", what);
        }
    }

    @FunctionalInterface
    private interface Upkeep {
        void run() throws CloudException;
    }

    /** Without an id the machine is looked for by its mark: it may have been made in the moment of a crash. */
    @Override
    public Step cleanupNode(Node node, Map<String, String> memo) throws CloudException {
        Optional<String> known = node.machine().externalId();
        Optional<String> id = known.isPresent() ? known : findMachine(node);
        return id.isEmpty()
                ? new Step.Gone()
                : watch.call(
                        "a step of removing node " + node.id(),
                        () -> adapter.getDeleteStateMachine(id.get()).advance(memo));
    }

    private Optional<String> findMachine(Node node) throws CloudException {
        return listNodes().stream()
                .filter(machine -> machine.status() != Instance.Status.DELETED)
                .filter(machine -> name.equals(machine.metadata().get(Launch.PROVIDER_NAME))
                        && node.id().equals(machine.metadata().get(Launch.NODE_ID)))
                .map(Instance::externalId)
                .findFirst();
    }

    @Override
    public List<Instance> listNodes() throws CloudException {
        return watch.call("listInstances", adapter::listInstances);
    }

    @Override
    public QuotaInformation getQuotaLimits() throws CloudException {
        return watch.call("getQuotaLimits", adapter::getQuotaLimits);
    }

    @Override
    public QuotaInformation getQuotaForLabel(PoolConfig pool, String label) throws CloudException {
        LabelConfig config = config(pool, label);
        return watch.call("getQuotaForLabel " + label, () -> adapter.getQuotaForLabel(config));
    }

    @Override
    public boolean labelReady(PoolConfig pool, String label) throws CloudException {
        LabelConfig config = config(pool, label);
        return watch.call("labelReady " + label, () -> adapter.labelReady(config));
    }

    private static LabelConfig config(PoolConfig pool, String label) throws CloudException {
        return pool.label(label)
                .orElseThrow(
                        () -> new CloudException(Fault.BAD_REQUEST, "pool " + pool.name() + " has no label " + label));
    }

    @Override
    public Optional<String> getConsoleLog(Node node) throws CloudException {
        Optional<String> id = node.machine().externalId();
        return id.isEmpty()
                ? Optional.empty()
                : watch.call("getConsoleLog of node " + node.id(), () -> adapter.getConsoleLog(id.get()));
    }

    @Override
    public void cleanupLeakedResources(Snapshot snapshot) throws CloudException {
        if (!idle) {
            List<Resource> resources = watch.call("listResources", adapter::listResources);
            leaks.sweep(
                    snapshot,
                    resources,
                    leaked -> watch.call("deleteResource " + leaked.id(), () -> {
                        adapter.deleteResource(leaked);
                        return leaked;
                    }));
        }
    }

    @Override
    public Optional<ManagedImages> images() {
        return Optional.of(new AdapterImages(name, adapter, context.redaction()));
    }

    @Override
    public Optional<ProviderNotifications> notifications() {
        return Optional.of(new ProviderNotifications() {
            @Override
            public void nodescanFailedNotification(Node node) {
                node.machine()
                        .externalId()
                        .ifPresent(id -> inBackground(
                                "notifyNodescanFailure",
                                () -> watch.call("notifyNodescanFailure", () -> {
                                    adapter.notifyNodescanFailure(id);
                                    return id;
                                })));
            }
        });
    }
}
