package nodepool.testkit.contract;

import static org.junit.jupiter.api.Assertions.fail;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import nodepool.api.driver.CloudException;
import nodepool.api.driver.Instance;
import nodepool.api.driver.PoolConfig;
import nodepool.api.driver.Provider;
import nodepool.api.driver.ProviderConfig;
import nodepool.api.event.Event;
import nodepool.testkit.LentContext;
import nodepool.testkit.ManualClock;
import nodepool.testkit.MemorySnapshots;

/** As much of a launcher as a provider can see: one generation of it at a time, its threads, the records. */
final class SmallLauncher implements AutoCloseable {

    private final Duration patience;
    private final CloudUnderTest cloud;
    private final FaultPoints faults;
    private final ManualClock clock;
    private final MemorySnapshots records = new MemorySnapshots();
    private final List<Event> events = new CopyOnWriteArrayList<>();
    private ScheduledThreadPoolExecutor executor;
    private Provider provider;

    /** @param patience for one call to the provider */
    SmallLauncher(Duration patience, CloudUnderTest cloud, FaultPoints faults, ManualClock clock)
            throws CloudException {
        this.patience = patience;
        this.cloud = cloud;
        this.faults = faults;
        this.clock = clock;
        this.executor = new ScheduledThreadPoolExecutor(8);
        this.provider = cloud.open(LentContext.of(records, clock, executor, events::add));
        start();
    }

    private void start() throws CloudException {
        Provider fresh = provider;
        bounded("start", () -> {
            fresh.start();
            return fresh;
        });
    }

    /** Another process, or a newer driver, takes over: nothing but the records and the memories is left. */
    void restart() throws CloudException {
        endGeneration();
        executor = new ScheduledThreadPoolExecutor(8);
        provider = cloud.open(LentContext.of(records, clock, executor, events::add));
        start();
    }

    private void endGeneration() {
        provider.idle();
        provider.stop();
        executor.shutdownNow();
    }

    CloudUnderTest cloud() {
        return cloud;
    }

    FaultPoints faults() {
        return faults;
    }

    ManualClock clock() {
        return clock;
    }

    MemorySnapshots records() {
        return records;
    }

    List<Event> events() {
        return events;
    }

    Provider provider() {
        return provider;
    }

    ProviderConfig config() {
        return cloud.config();
    }

    PoolConfig pool() {
        return config().pools().get(0);
    }

    String label() {
        return pool().labels().get(0).name();
    }

    List<Instance> listNodes() throws CloudException {
        return bounded("listNodes", () -> provider.listNodes());
    }

    void sweep() throws CloudException {
        bounded("cleanupLeakedResources", () -> {
            provider.cleanupLeakedResources(records.now());
            return "swept";
        });
    }

    /** Makes a call on the provider's threads, as a launcher does; a call that does not end fails the test. */
    <T> T bounded(String what, FaultPoints.Work<T> call) throws CloudException {
        Future<T> result = executor.submit(call::run);
        try {
            return result.get(patience.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            return fail("%s did not end in %d s: a call to the cloud needs a deadline"
                    .formatted(what, patience.toSeconds()));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return fail(what + " was interrupted");
        } catch (ExecutionException e) {
            if (e.getCause() instanceof CloudException cloudFault) {
                throw cloudFault;
            }
            return fail(what + " threw what is no CloudException", e.getCause());
        }
    }

    @Override
    public void close() {
        faults.end();
        endGeneration();
        cloud.close();
    }
}
