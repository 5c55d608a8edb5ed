package nodepool.launcher;

import java.time.Clock;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import nodepool.api.driver.CloudException;
import nodepool.api.driver.Driver;
import nodepool.api.driver.HostKeyScanner;
import nodepool.api.driver.Provider;
import nodepool.api.driver.ProviderConfig;
import nodepool.api.driver.ProviderContext;
import nodepool.api.driver.Redaction;
import nodepool.api.event.EventListener;
import nodepool.api.store.Snapshot;
import nodepool.api.store.Stores;
import nodepool.api.verdict.Reason;
import org.jspecify.annotations.Nullable;

/** One generation of a provider: one configuration, one driver, one executor. Thread-safe. */
final class RunningProvider {

    private static final int THREADS = 8;

    private final ProviderConfig config;
    private final Driver driver;
    private final Redaction redaction;
    private final BooleanSupplier driverIsHere;
    private final Provider provider;
    private final ScheduledThreadPoolExecutor executor;
    private final AtomicInteger underWay = new AtomicInteger();
    private final AtomicBoolean stopped = new AtomicBoolean();
    private volatile boolean retired;

    /** @param driverIsHere whether the driver's bundle still runs */
    RunningProvider(
            ProviderConfig config,
            Redaction redaction,
            Driver driver,
            BooleanSupplier driverIsHere,
            Stores stores,
            HostKeyScanner scanner,
            Clock clock,
            Runnable changed,
            EventListener events) {
        this.config = config;
        this.redaction = redaction;
        this.driver = driver;
        this.driverIsHere = driverIsHere;
        AtomicInteger number = new AtomicInteger();
        this.executor = new ScheduledThreadPoolExecutor(THREADS, task -> {
            Thread made = new Thread(task, config.name() + "-" + number.incrementAndGet());
            made.setDaemon(true);
            return made;
        });
        executor.setKeepAliveTime(30, TimeUnit.SECONDS);
        executor.allowCoreThreadTimeOut(true);
        executor.setRemoveOnCancelPolicy(true);
        this.provider = driver.getProvider(
                config,
                new ProviderContext(
                        stores.snapshots(),
                        stores.nodes(),
                        stores.requests(),
                        scanner,
                        clock,
                        executor,
                        changed,
                        events,
                        redaction));
    }

    ProviderConfig config() {
        return config;
    }

    Driver driver() {
        return driver;
    }

    /** For calls that do not block; the others go through {@link #call}. */
    Provider provider() {
        return provider;
    }

    /** Why it answers badly right now. */
    Optional<Reason> trouble() {
        return provider.trouble().map(redaction::clean);
    }

    /** Asks for what decisions depend on. Blocks: for {@link #call}. */
    ProviderFacts readFacts(Optional<Snapshot> snapshot) throws CloudException {
        return FactsReader.read(config, provider, snapshot).map(redaction::clean);
    }

    /**
     * Runs a call that may block on this provider's threads. Its failure says no credentials. Whatever goes wrong with a
     * generation that was let go, or whose driver is gone, is no word of the cloud: its classes may be gone under it. Such a call
     * is to be made again with the next generation.
     */
    <T> CompletionStage<T> call(Callable<T> call) {
        CompletableFuture<T> result = new CompletableFuture<>();
        underWay.incrementAndGet();
        if (retired) {
            ended();
            result.completeExceptionally(replaced(null));
            return result;
        }
        try {
            executor.execute(() -> {
                try {
                    result.complete(call.call());
                } catch (Throwable failure) {
                    boolean inService = !retired && driverIsHere.getAsBoolean();
                    result.completeExceptionally(redaction.clean(inService ? failure : replaced(failure)));
                } finally {
                    ended();
                }
            });
        } catch (RejectedExecutionException stopped) {
            ended();
            result.completeExceptionally(replaced(stopped));
        }
        return result;
    }

    private CloudException replaced(@Nullable Throwable cause) {
        String message = "provider " + config.name() + " is being replaced";
        return cause == null
                ? new CloudException(CloudException.Fault.RATE_LIMIT, message)
                : new CloudException(CloudException.Fault.RATE_LIMIT, message, cause);
    }

    /** Lets calls under way end, begins no other, and then releases everything. Returns at once. */
    void retire() {
        provider.idle();
        retired = true;
        stopIfUnused();
    }

    private void ended() {
        underWay.decrementAndGet();
        stopIfUnused();
    }

    private void stopIfUnused() {
        if (retired && underWay.get() == 0 && stopped.compareAndSet(false, true)) {
            executor.execute(provider::stop);
            executor.shutdown();
        }
    }
}
