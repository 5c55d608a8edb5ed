package nodepool.testkit.contract;

import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import nodepool.api.driver.CloudException;
import nodepool.api.driver.CloudException.Fault;
import nodepool.api.driver.Instance;
import nodepool.api.driver.Launch;
import nodepool.api.driver.NodeRequestHandler;
import nodepool.api.driver.PoolConfig;
import nodepool.api.driver.Provider;
import nodepool.api.driver.ProviderContext;
import nodepool.api.driver.Step;
import nodepool.api.event.Event;
import nodepool.api.node.Node;
import nodepool.api.request.NodeRequest;
import nodepool.api.store.Snapshot;
import nodepool.api.verdict.Reason;
import nodepool.testkit.contract.CloudUnderTest.Machine;

/** A driver for {@link TinyCloud}, right but for one flaw. */
final class TinyProvider implements Provider {

    private final TinyCloud cloud;
    private final Flaw flaw;
    private final ProviderContext context;
    private final ExecutorService calls = Executors.newCachedThreadPool();
    private final Map<String, String> inAnObject = new ConcurrentHashMap<>();
    private Set<String> suspects = Set.of();
    private volatile boolean started;

    TinyProvider(TinyCloud cloud, Flaw flaw, ProviderContext context) {
        this.cloud = cloud;
        this.flaw = flaw;
        this.context = context;
    }

    @Override
    public void start() {
        started = true;
    }

    @Override
    public void stop() {
        calls.shutdownNow();
        if (!started && flaw == Flaw.STOPS_ONLY_WHAT_WAS_STARTED) {
            throw new IllegalStateException("not started");
        }
        if (flaw == Flaw.KEEPS_A_THREAD) {
            Thread forgotten = new Thread(TinyProvider::waitForEver, "forgotten");
            forgotten.setDaemon(true);
            forgotten.start();
        }
    }

    private static void waitForEver() {
        try {
            new CountDownLatch(1).await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public Optional<Reason> trouble() {
        if (flaw == Flaw.WAITS_ON_A_LOOP) {
            CompletableFuture.runAsync(() -> {}, context.executor()).join();
        }
        return Optional.empty();
    }

    @Override
    public NodeRequestHandler getRequestHandler(PoolConfig pool, NodeRequest request) {
        return (launch, memo) -> bounded(() -> launch(launch, memo));
    }

    private Step launch(Launch launch, Map<String, String> memo) throws CloudException {
        if (flaw == Flaw.THROWS_WHAT_IT_LIKES && memo.isEmpty()) {
            throw new IllegalStateException("surprise");
        }
        String id = flaw == Flaw.REMEMBERS_IN_AN_OBJECT_INSTEAD_OF_THE_MEMORY
                ? inAnObject.getOrDefault(launch.node().id(), "")
                : memo.getOrDefault("id", "");
        if (id.isEmpty()) {
            id = findOrMake(launch);
            inAnObject.put(launch.node().id(), id);
            Optional<String> known = Optional.of(id);
            if (flaw != Flaw.TELLS_OF_THE_MACHINE_BEFORE_IT_IS_READY) {
                return new Step.Again(Map.of("id", id), known, Duration.ofSeconds(1));
            }
        }
        Optional<Boolean> ready = cloud.isReady(id);
        if (ready.isEmpty()) {
            throw new CloudException(Fault.MACHINE_FAILED, id + " is gone");
        }
        return ready.get() || flaw == Flaw.TELLS_OF_THE_MACHINE_BEFORE_IT_IS_READY
                ? new Step.Done(instance(new Machine(id, launch.metadata()), ready.get()))
                : new Step.Again(Map.of("id", id), Optional.of(id), Duration.ofSeconds(1));
    }

    private String findOrMake(Launch launch) throws CloudException {
        boolean looks =
                flaw != Flaw.MAKES_WITHOUT_LOOKING_FIRST && flaw != Flaw.REMEMBERS_IN_AN_OBJECT_INSTEAD_OF_THE_MEMORY;
        for (Machine machine : looks ? cloud.list() : List.<Machine>of()) {
            boolean shared = flaw == Flaw.SHARES_ONE_MACHINE;
            if (shared || launch.node().id().equals(machine.metadata().get(Launch.NODE_ID))) {
                return machine.id();
            }
        }
        try {
            return cloud.make(flaw == Flaw.DROPS_THE_METADATA ? Map.of() : launch.metadata());
        } catch (CloudException e) {
            throw e.fault() == Fault.QUOTA && flaw == Flaw.HIDES_A_FULL_CLOUD
                    ? new CloudException(Fault.BAD_REQUEST, "no")
                    : e;
        }
    }

    @Override
    public Step cleanupNode(Node node, Map<String, String> memo) throws CloudException {
        return bounded(() -> {
            if (node.machine().externalId().isEmpty()) {
                return new Step.Gone();
            }
            String id = node.machine().externalId().get();
            if (flaw == Flaw.FAILS_WHEN_THE_MACHINE_IS_GONE_ALREADY
                    && cloud.isReady(id).isEmpty()) {
                throw new CloudException(Fault.BAD_REQUEST, "no such machine");
            }
            try {
                cloud.delete(id);
            } catch (CloudException e) {
                if (flaw != Flaw.SAYS_GONE_WHEN_THE_REMOVAL_FAILED) {
                    throw e;
                }
            }
            return new Step.Gone();
        });
    }

    @Override
    public List<Instance> listNodes() throws CloudException {
        return bounded(() -> cloud.list().stream()
                .filter(one -> flaw != Flaw.LISTS_ONLY_ITS_OWN
                        || "tiny".equals(one.metadata().get(Launch.PROVIDER_NAME)))
                .map(one -> instance(one, true))
                .toList());
    }

    @Override
    public void cleanupLeakedResources(Snapshot snapshot) throws CloudException {
        Set<String> leaked = new HashSet<>();
        for (Machine machine : bounded(cloud::list)) {
            boolean ours =
                    "tiny".equals(machine.metadata().get(Launch.PROVIDER_NAME)) || flaw == Flaw.SWEEPS_WHAT_OTHERS_MADE;
            String node = machine.metadata().getOrDefault(Launch.NODE_ID, "");
            if (!ours || snapshot.node(node).isPresent() || flaw == Flaw.NEVER_SWEEPS) {
                continue;
            }
            if (suspects.contains(machine.id()) || flaw == Flaw.SWEEPS_AT_FIRST_SIGHT) {
                cloud.delete(machine.id());
                context.events().on(new Event.LeakRemoved("tiny", "machines", machine.id()));
            }
            leaked.add(machine.id());
        }
        suspects = leaked;
    }

    private static Instance instance(Machine machine, boolean ready) {
        return Instance.of(
                machine.id(),
                ready ? Instance.Status.READY : Instance.Status.PENDING,
                machine.metadata(),
                new Node.Addresses(Optional.of("192.0.2.1"), Optional.empty(), Optional.empty(), Optional.empty()));
    }

    private <T> T bounded(FaultPoints.Work<T> call) throws CloudException {
        if (flaw == Flaw.WAITS_FOR_EVER) {
            return call.run();
        }
        try {
            return calls.submit(call::run).get(200, TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            throw new CloudException(Fault.TRANSIENT, "no answer", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new CloudException(Fault.TRANSIENT, "interrupted", e);
        } catch (ExecutionException e) {
            if (e.getCause() instanceof CloudException cloudFault) {
                throw cloudFault;
            }
            throw new IllegalStateException(e.getCause());
        }
    }
}
