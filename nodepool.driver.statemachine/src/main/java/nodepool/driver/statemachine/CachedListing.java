package nodepool.driver.statemachine;

import java.time.Clock;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.LongSupplier;
import nodepool.api.driver.CloudException;
import nodepool.api.driver.CloudException.Fault;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The answer of a listing, shared by everybody who asks: however many machines look at it, the cloud is asked once in a
 * while, and never twice at the same time. Thread-safe.
 */
public final class CachedListing<T> {

    private static final Logger log = LoggerFactory.getLogger("nodepool.CachedListing");

    private final String name;
    private final long fresh;
    private final long usable;
    private final CloudCall<T> source;
    private final Executor executor;
    private final LongSupplier nanoTime;
    private final Object state = new Object();
    private Optional<Answer<T>> answer = Optional.empty();
    private Optional<Flight<T>> running = Optional.empty();
    private Optional<Flight<T>> queued = Optional.empty();
    private boolean refreshing;

    /** One call to the cloud; {@code runner} is guarded by {@code state}. */
    private static final class Flight<T> extends CompletableFuture<T> {
        private Optional<Thread> runner = Optional.empty();
    }

    private record Answer<T>(T value, long at) {}

    /**
     * @param name for the log
     * @param fresh age up to which an answer is used as it is
     * @param usable age up to which an old answer is used while a new one is on its way, or if the cloud gives none
     * @param source asks the cloud
     * @param executor for asking in the background
     * @param nanoTime {@link System#nanoTime()}
     */
    public CachedListing(
            String name,
            Duration fresh,
            Duration usable,
            CloudCall<T> source,
            Executor executor,
            LongSupplier nanoTime) {
        this.name = name;
        this.fresh = fresh.toNanos();
        this.usable = usable.toNanos();
        this.source = source;
        this.executor = executor;
        this.nanoTime = nanoTime;
    }

    /** By a clock, as {@link nodepool.api.driver.ProviderContext} has one. */
    public CachedListing(
            String name, Duration fresh, Duration usable, CloudCall<T> source, Executor executor, Clock clock) {
        this(name, fresh, usable, source, executor, ClockTicks.of(clock));
    }

    /**
     * An answer that may be some time old: not finding in it what was just made, or finding what was just removed, means
     * nothing. Blocks only if there is no usable answer.
     */
    public T get() throws CloudException {
        Optional<Answer<T>> old;
        boolean refresh;
        synchronized (state) {
            old = answer.filter(known -> isYounger(known, usable));
            refresh = old.isPresent() && !isYounger(old.get(), fresh) && running.isEmpty() && !refreshing;
            refreshing |= refresh;
        }
        if (refresh) {
            inBackground();
        }
        return old.isPresent() ? old.get().value() : shared();
    }

    /** An answer that is fresh. Blocks if there is none yet, together with everybody else who waits for one. */
    public T recent() throws CloudException {
        Optional<Answer<T>> young;
        synchronized (state) {
            young = answer.filter(known -> isYounger(known, fresh));
        }
        return young.isPresent() ? young.get().value() : shared();
    }

    /** An answer to a question asked after this call: it shows everything that was there before. Blocks. */
    public T fetch() throws CloudException {
        Flight<T> mine;
        Optional<Flight<T>> before;
        boolean first;
        synchronized (state) {
            before = running;
            first = queued.isEmpty();
            mine = queued.orElseGet(Flight::new);
            queued = Optional.of(mine);
        }
        if (first) {
            askAfter(before, mine);
        }
        return join(mine);
    }

    private void askAfter(Optional<Flight<T>> before, Flight<T> mine) throws CloudException {
        try {
            if (before.isPresent()) {
                awaitEnd(before.get());
            }
        } catch (CloudException e) {
            end(mine, null, e);
            throw e;
        }
        ask(mine);
    }

    /** Joins the call that is under way, or makes one. */
    private T shared() throws CloudException {
        Optional<Flight<T>> flight;
        synchronized (state) {
            flight = running;
        }
        return flight.isPresent() ? join(flight.get()) : fetch();
    }

    /** Nobody waits for this call before it has begun: its thread may be long in coming. */
    private void inBackground() {
        try {
            executor.execute(() -> {
                refreshingEnds();
                try {
                    fetch();
                } catch (CloudException e) {
                    log.warn("{}: no new answer, the old one is used: {}", name, e.getMessage());
                }
            });
        } catch (RejectedExecutionException stopped) {
            refreshingEnds();
        }
    }

    private void refreshingEnds() {
        synchronized (state) {
            refreshing = false;
        }
    }

    private void ask(Flight<T> flight) {
        synchronized (state) {
            running = Optional.of(flight);
            queued = Optional.empty();
            flight.runner = Optional.of(Thread.currentThread());
        }
        try {
            end(flight, source.call(), null);
        } catch (CloudException | RuntimeException | Error failure) {
            end(flight, null, failure);
        }
    }

    private void end(Flight<T> flight, @Nullable T value, @Nullable Throwable failure) {
        synchronized (state) {
            running = running.filter(other -> other != flight);
            queued = queued.filter(other -> other != flight);
            flight.runner = Optional.empty();
            if (value != null) {
                answer = Optional.of(new Answer<>(value, nanoTime.getAsLong()));
            }
        }
        if (value != null) {
            flight.complete(value);
        } else {
            flight.completeExceptionally(
                    failure == null ? new CloudException(Fault.TRANSIENT, name + ": no answer") : failure);
        }
    }

    /** An answer from the future is none: the clock was turned back. */
    private boolean isYounger(Answer<T> known, long limit) {
        long age = nanoTime.getAsLong() - known.at();
        return age >= 0 && age < limit;
    }

    private void awaitEnd(Flight<T> flight) throws CloudException {
        try {
            flight.get();
        } catch (ExecutionException itsOwnCallersHearOfIt) {
            log.trace("{}: the call before failed", name);
        } catch (InterruptedException e) {
            throw givenUp(flight, e);
        }
    }

    private T join(Flight<T> flight) throws CloudException {
        try {
            return flight.get();
        } catch (ExecutionException e) {
            if (e.getCause() instanceof CloudException cloud) {
                throw cloud;
            }
            throw new CloudException(Fault.TRANSIENT, name + ": " + e.getCause(), e);
        } catch (InterruptedException e) {
            throw givenUp(flight, e);
        }
    }

    /**
     * Whoever waits is interrupted when its time is over; the call it waits for is older, so its time is over too: it is
     * interrupted, and nobody is to wait for it any more, even if its thread never comes back.
     */
    private CloudException givenUp(Flight<T> flight, InterruptedException why) {
        Thread.currentThread().interrupt();
        synchronized (state) {
            flight.runner.ifPresent(Thread::interrupt);
        }
        CloudException lost = new CloudException(Fault.TRANSIENT, name + ": no answer in time", why);
        end(flight, null, lost);
        return lost;
    }
}
