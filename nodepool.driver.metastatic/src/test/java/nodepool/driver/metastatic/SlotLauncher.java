package nodepool.driver.metastatic;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import nodepool.api.driver.CloudException;
import nodepool.api.driver.Instance;
import nodepool.api.driver.Launch;
import nodepool.api.driver.NodeRequestHandler;
import nodepool.api.driver.PoolConfig;
import nodepool.api.driver.ProviderContext;
import nodepool.api.driver.Step;
import nodepool.api.node.Node;
import nodepool.api.node.NodeState;
import nodepool.api.request.NodeRequest;
import nodepool.api.store.LockedNode;
import nodepool.api.store.NodeMemo;
import nodepool.api.store.Snapshot;
import nodepool.api.store.Stores;
import nodepool.testkit.ManualClock;
import nodepool.testkit.ManualExecutor;

/** One launcher process with one metastatic provider, its steps taken by hand. */
final class SlotLauncher implements AutoCloseable {

    private final Stores stores;
    private final ManualClock clock;
    private final MetastaticConfig config;
    private final MetastaticProvider provider;
    private final ManualExecutor executor;
    private final Map<String, LockedNode> locked = new ConcurrentHashMap<>();
    private final Map<String, Map<String, String>> memos = new ConcurrentHashMap<>();

    SlotLauncher(Stores stores, ManualClock clock, MetastaticConfig config) {
        this.stores = stores;
        this.clock = clock;
        this.config = config;
        this.executor = new ManualExecutor(clock);
        this.provider = new MetastaticProvider(
                config,
                new ProviderContext(
                        stores.snapshots(),
                        stores.nodes(),
                        stores.requests(),
                        target -> CompletableFuture.failedFuture(new UnsupportedOperationException("not scanned here")),
                        clock,
                        executor,
                        () -> {}),
                UUID::randomUUID);
        provider.start();
    }

    MetastaticProvider provider() {
        return provider;
    }

    Stores stores() {
        return stores;
    }

    /** Records a node of that label, as a launcher does before the first step. */
    String begin(String label) {
        PoolConfig pool = config.pools().get(0);
        Node draft = Node.draft(
                NodeState.INIT,
                List.of(label),
                Node.Place.in(config.name(), pool.name()),
                Node.Machine.NONE,
                clock.instant());
        Node made = Events.await(stores.nodes().create(draft));
        NodeMemo memo = new NodeMemo(NodeMemo.Phase.CREATE, 1, clock.instant(), Optional.empty(), Map.of());
        takeOver(Events.await(stores.nodes().lockNew(made.withState(NodeState.BUILDING, clock.instant()), memo))
                .orElseThrow());
        Events.first(stores.snapshots(), now -> now.isLocked(made.id()) ? now.node(made.id()) : Optional.empty());
        return made.id();
    }

    private void takeOver(LockedNode node) {
        locked.put(node.node().id(), node);
        memos.put(node.node().id(), Map.of());
    }

    /** One step of making that node. */
    Step step(String id) throws CloudException {
        PoolConfig pool = config.pools().get(0);
        Node node = node(id);
        NodeRequest request = NodeRequest.draft(
                NodeRequest.Wanted.of(node.types()), NodeRequest.Asker.named("client"), clock.instant());
        Launch launch = new Launch(
                node,
                request,
                pool,
                pool.label(node.types().get(0)).orElseThrow(),
                "np" + id,
                Optional.empty(),
                Map.of(Launch.NODE_ID, id),
                1);
        NodeRequestHandler handler = provider.getRequestHandler(pool, request);
        Step step = handler.launch(launch, memos.getOrDefault(id, Map.of()));
        if (step instanceof Step.Again again) {
            memos.put(id, again.memo());
        }
        return step;
    }

    /** Steps until there is a machine, and hands the node over. */
    Instance make(String id) throws CloudException {
        Step step = step(id);
        if (!(step instanceof Step.Done done)) {
            throw new AssertionError("expected a slot for node " + id + ", not " + step);
        }
        handOver(id, done.instance());
        return done.instance();
    }

    /** Steps until there is a machine, which then does not answer. */
    void scanFailed(String id) throws CloudException {
        if (!(step(id) instanceof Step.Done done)) {
            throw new AssertionError("no slot for node " + id);
        }
        provider.notifications().orElseThrow().nodescanFailedNotification(described(node(id), done.instance()));
    }

    private void handOver(String id, Instance instance) {
        Node ready = described(node(id), instance).withState(NodeState.READY, clock.instant());
        LockedNode before = Optional.ofNullable(locked.remove(id)).orElseThrow();
        Events.await(stores.nodes().finish(before.with(ready)));
    }

    private static Node described(Node node, Instance instance) {
        return node.withPlace(node.place().withAz(instance.place().az()))
                .withMachine(node.machine()
                        .withExternalId(Optional.of(instance.externalId()))
                        .withSlot(instance.slot())
                        .withDriverData(instance.driverData()));
    }

    /** An attempt to make that node has failed: cleans up after it and begins the next one. */
    void attemptFailed(String id) throws CloudException {
        provider.cleanupNode(node(id), Map.of());
        memos.put(id, Map.of());
    }

    /** What happens to a node that nobody uses any more. */
    void remove(String id) throws CloudException {
        LockedNode node = Optional.ofNullable(locked.remove(id))
                .or(() -> Events.await(stores.nodes().tryLock(id)))
                .orElseThrow();
        node = Events.await(stores.nodes().write(node.with(node.node().withState(NodeState.DELETING, clock.instant()))))
                .orElseThrow();
        provider.cleanupNode(node.node(), Map.of());
        Events.await(stores.nodes().remove(node));
        Events.first(stores.snapshots(), now -> now.node(id).isEmpty() ? Optional.of(now) : Optional.empty());
        provider.notifications().orElseThrow().nodeDeletedNotification(node.node());
    }

    /** Lets time pass, in which the provider does what it has planned. */
    void pass(Duration time) {
        executor.pass(time);
    }

    /** How many things the provider has planned. */
    int planned() {
        return executor.getQueue().size();
    }

    /** The periodic upkeep. */
    void sweep() throws CloudException {
        provider.cleanupLeakedResources(snapshot());
    }

    /** What a launcher asks when the provider is to go. */
    boolean drain() throws CloudException {
        return provider.drain(Events.await(stores.snapshots().caughtUp()));
    }

    Snapshot snapshot() {
        return stores.snapshots().current().orElseThrow();
    }

    /** The open requests for backing nodes, once there are that many. */
    List<NodeRequest> requests(int number) {
        return Events.first(
                stores.snapshots(),
                now -> Optional.of(now.requests().stream()
                                .filter(request -> Demand.isOurs(config, request))
                                .toList())
                        .filter(requests -> requests.size() == number));
    }

    private Node node(String id) {
        return Optional.ofNullable(locked.get(id)).orElseThrow().node();
    }

    /** As a crash does: the session ends, nothing else is done. */
    @Override
    public void close() {
        executor.shutdownNow();
        stores.close();
    }
}
