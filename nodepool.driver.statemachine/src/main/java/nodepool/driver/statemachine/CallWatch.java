package nodepool.driver.statemachine;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;
import nodepool.api.driver.CloudException;
import nodepool.api.driver.CloudException.Fault;
import nodepool.api.driver.Redaction;
import nodepool.api.event.Event;
import nodepool.api.event.EventListener;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sees to it that every call into a cloud ends: the call runs on a thread of its own, which is interrupted and given up when
 * the time is over, while the caller goes on with a {@link CloudException}. A given up call that heeds no interrupt keeps
 * its thread; of those there can be only so many. Thread-safe.
 */
final class CallWatch implements AutoCloseable {

    private static final int THREADS = 24;
    private static final Duration IN_HAND = Duration.ofSeconds(5);
    private static final Duration WHEN_FULL = Duration.ofSeconds(5);
    private static final Logger log = LoggerFactory.getLogger("nodepool.CallWatch");

    private final String provider;
    private final Duration limit;
    private final CloudHealth health;
    private final LongSupplier ticks;
    private final EventListener events;
    private final Redaction redaction;
    private final ThreadPoolExecutor threads;
    private volatile boolean ending;

    /**
     * @param limit for one call
     * @param ticks nanoseconds from any start
     * @param events told of every call
     * @param redaction of what calls fail with
     */
    CallWatch(
            String provider,
            Duration limit,
            CloudHealth health,
            LongSupplier ticks,
            EventListener events,
            Redaction redaction) {
        this.provider = provider;
        this.limit = limit;
        this.health = health;
        this.ticks = ticks;
        this.events = events;
        this.redaction = redaction;
        AtomicInteger number = new AtomicInteger();
        this.threads = new ThreadPoolExecutor(0, THREADS, 30, TimeUnit.SECONDS, new SynchronousQueue<>(), task -> {
            Thread made = new Thread(task, provider + "-call-" + number.incrementAndGet());
            made.setDaemon(true);
            return made;
        });
    }

    /** Makes a call. Blocks for {@code limit} at most. */
    <T> T call(String what, CloudCall<T> call) throws CloudException {
        long begun = ticks.getAsLong();
        try {
            T value = watched(what, call);
            called(what, Optional.empty(), begun);
            return value;
        } catch (CloudException failure) {
            called(what, Optional.of(failure.fault()), begun);
            throw failure;
        }
    }

    private void called(String what, Optional<Fault> fault, long begun) {
        events.on(new Event.CloudCalled(provider, what, fault, Duration.ofNanos(ticks.getAsLong() - begun)));
    }

    private <T> T watched(String what, CloudCall<T> call) throws CloudException {
        health.admit();
        Future<T> result;
        try {
            result = threads.submit(call::call);
        } catch (RejectedExecutionException full) {
            throw threads.isShutdown()
                    ? stopped(full)
                    : new CloudException(
                            Fault.RATE_LIMIT,
                            "%s: %d calls to the cloud are under way".formatted(provider, THREADS),
                            WHEN_FULL);
        }
        try {
            T value = result.get(limit.toNanos(), TimeUnit.NANOSECONDS);
            health.answered();
            if (value == null) {
                throw new CloudException(
                        Fault.TRANSIENT, "%s: the driver answered null to %s".formatted(provider, what));
            }
            return value;
        } catch (TimeoutException e) {
            result.cancel(true);
            if (threads.isShutdown()) {
                throw stopped(e);
            }
            String problem = "%s: no answer to %s in %d s".formatted(provider, what, limit.toSeconds());
            health.lost(problem);
            throw new CloudException(Fault.TRANSIENT, problem, e);
        } catch (InterruptedException e) {
            result.cancel(true);
            Thread.currentThread().interrupt();
            throw new CloudException(Fault.TRANSIENT, provider + ": interrupted during " + what, e);
        } catch (ExecutionException e) {
            throw failure(what, redaction.clean(e.getCause() == null ? e : e.getCause()));
        }
    }

    /** What no driver author foresaw counts as transient; the launcher logs it with its stack. */
    private CloudException failure(String what, Throwable cause) {
        if (ending) {
            return stopped(cause);
        }
        if (!(cause instanceof CloudException cloud)) {
            return new CloudException(Fault.TRANSIENT, "%s: %s: %s".formatted(provider, what, cause), cause);
        }
        if (cloud.fault() == Fault.UNAUTHORIZED || cloud.fault() == Fault.TRANSIENT) {
            health.failed("%s: %s: %s".formatted(provider, what, cloud.getMessage()));
        } else {
            health.answered();
        }
        return cloud;
    }

    /** No fault of the cloud's: the same step is taken again by the next generation, and no attempt is counted. */
    private CloudException stopped(Throwable cause) {
        return new CloudException(Fault.RATE_LIMIT, "provider " + provider + " is being stopped", cause);
    }

    /** Lets calls under way end for some seconds, and begins no other. */
    void drain() throws InterruptedException {
        threads.shutdown();
        if (!threads.awaitTermination(IN_HAND.toMillis(), TimeUnit.MILLISECONDS)) {
            log.info("{}: interrupting {} calls to the cloud", provider, threads.getActiveCount());
        }
        ending = true;
    }

    /** Interrupts whatever is still under way. */
    @Override
    public void close() {
        ending = true;
        threads.shutdownNow();
        try {
            if (!threads.awaitTermination(2, TimeUnit.SECONDS)) {
                log.warn("{}: {} calls to the cloud do not end", provider, threads.getActiveCount());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
