package nodepool.driver.statemachine;

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
    private final long freshNanos;
    private final long usableNanos;
    private final CloudCall<T> source;
    private final Executor executor;
    private final LongSupplier nanoTime;
    private final Object state = new Object();
    private Optional<Answer<T>> answer = Optional.empty();
    private Optional<CompletableFuture<T>> running = Optional.empty();
    private Optional<CompletableFuture<T>> queued = Optional.empty();
    private boolean refreshing;

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
        this.freshNanos = fresh.toNanos();
        this.usableNanos = usable.toNanos();
        this.source = source;
        this.executor = executor;
        this.nanoTime = nanoTime;
    }

    /**
     * An answer that may be some time old: not finding in it what was just made, or finding what was just removed, means
     * nothing. Blocks only if there is no usable answer.
     */
    public T get() throws CloudException {
        Optional<Answer<T>> old;
        boolean refresh;
        synchronized (state) {
            old = answer.filter(known -> age(known) < usableNanos);
            refresh = old.isPresent() && age(old.get()) >= freshNanos && running.isEmpty() && !refreshing;
            refreshing |= refresh;
        }
        if (refresh) {
            inBackground();
        }
        return old.isPresent() ? old.get().value() : shared();
    }

    /** An answer to a question asked after this call: it shows everything that was there before. Blocks. */
    public T fetch() throws CloudException {
        CompletableFuture<T> mine;
        Optional<CompletableFuture<T>> before;
        boolean first;
        synchronized (state) {
            before = running;
            first = queued.isEmpty();
            mine = queued.orElseGet(CompletableFuture::new);
            queued = Optional.of(mine);
        }
        if (first) {
            before.ifPresent(CachedListing::awaitEnd);
            ask(mine);
        }
        return join(mine);
    }

    /** Joins the call that is under way, or makes one. */
    private T shared() throws CloudException {
        Optional<CompletableFuture<T>> flight;
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

    private void ask(CompletableFuture<T> flight) {
        synchronized (state) {
            running = Optional.of(flight);
            queued = Optional.empty();
        }
        try {
            end(flight, source.call(), null);
        } catch (CloudException | RuntimeException | Error failure) {
            end(flight, null, failure);
        }
    }

    private void end(CompletableFuture<T> flight, @Nullable T value, @Nullable Throwable failure) {
        synchronized (state) {
            running = running.filter(other -> other != flight);
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

    private long age(Answer<T> known) {
        return nanoTime.getAsLong() - known.at();
    }

    private static void awaitEnd(CompletableFuture<?> flight) {
        try {
            flight.get();
        } catch (ExecutionException itsOwnCallersHearOfIt) {
            log.trace("The call before failed");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private T join(CompletableFuture<T> flight) throws CloudException {
        try {
            return flight.get();
        } catch (ExecutionException e) {
            if (e.getCause() instanceof CloudException cloud) {
                throw cloud;
            }
            throw new CloudException(Fault.TRANSIENT, name + ": " + e.getCause(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new CloudException(Fault.TRANSIENT, name + ": interrupted", e);
        }
    }
}
