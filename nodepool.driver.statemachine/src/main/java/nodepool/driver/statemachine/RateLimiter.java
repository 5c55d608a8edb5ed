package nodepool.driver.statemachine;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import nodepool.api.driver.CloudException;
import nodepool.api.driver.CloudException.Fault;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps calls to one cloud a minimum time apart, from start to start; calls may overlap. Callers wait in line, first come
 * first served, on their own threads. When the cloud answers "too many requests" the distance doubles, and shrinks to the
 * configured one as calls succeed. Thread-safe.
 */
public final class RateLimiter implements AutoCloseable {

    /** How the first in line lets time pass. */
    @FunctionalInterface
    interface Pause {
        /** Returns after that time, or earlier if there is no need to wait any more. */
        void nanos(long nanos) throws InterruptedException;
    }

    private static final Logger log = LoggerFactory.getLogger("nodepool.RateLimiter");

    /** Distance after the first refusal by a cloud that has no configured limit. */
    private static final long FIRST_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    private static final long LONGEST_NANOS = TimeUnit.SECONDS.toNanos(30);
    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(20);

    private final String name;
    private final long configured;
    private final LongSupplier nanoTime;
    private final Pause pause;
    private final CountDownLatch closed;
    private final ReentrantLock line = new ReentrantLock(true);
    private final Object state = new Object();
    private long distance;
    private long next;

    RateLimiter(String name, Duration distance, LongSupplier nanoTime, Pause pause, CountDownLatch closed) {
        this.name = name;
        this.configured = distance.toNanos();
        this.nanoTime = nanoTime;
        this.pause = pause;
        this.closed = closed;
        this.distance = configured;
        this.next = nanoTime.getAsLong();
    }

    /**
     * @param name for the log
     * @param distance between the starts of two calls; zero: only the cloud's own refusals slow calls down
     */
    public static RateLimiter every(String name, Duration distance) {
        CountDownLatch closed = new CountDownLatch(1);
        Pause pause = nanos -> {
            boolean ended = closed.await(nanos, TimeUnit.NANOSECONDS);
            log.trace("{}: waited, closed: {}", name, ended);
        };
        return new RateLimiter(name, distance, System::nanoTime, pause, closed);
    }

    /** As many calls a second; zero or less: no limit. */
    public static RateLimiter perSecond(String name, double calls) {
        return every(name, calls > 0 ? Duration.ofNanos((long) (1e9 / calls)) : Duration.ZERO);
    }

    /**
     * Makes a call when it is its turn.
     *
     * @param what for the log
     * @throws CloudException the call's own; {@link Fault#RATE_LIMIT} without making the call if the line is so long that
     *     waiting would hold the thread for more than 20 s
     */
    public <T> T call(String what, CloudCall<T> call) throws CloudException {
        long asked = nanoTime.getAsLong();
        take();
        long began = nanoTime.getAsLong();
        try {
            T result = call.call();
            speedUp();
            return result;
        } catch (CloudException e) {
            if (e.fault() == Fault.RATE_LIMIT) {
                slowDown(e.retryAfter().orElse(Duration.ZERO));
            }
            throw e;
        } finally {
            log.debug(
                    "{}: {} took {} ms after {} ms in line",
                    name,
                    what,
                    TimeUnit.NANOSECONDS.toMillis(nanoTime.getAsLong() - began),
                    TimeUnit.NANOSECONDS.toMillis(began - asked));
        }
    }

    /** The distance kept at present. */
    public Duration distance() {
        synchronized (state) {
            return Duration.ofNanos(distance);
        }
    }

    /** The first in line holds the lock while it waits, so nobody overtakes. */
    private void take() throws CloudException {
        try {
            if (!line.tryLock(PATIENCE_NANOS, TimeUnit.NANOSECONDS)) {
                throw tooLong();
            }
            try {
                waitForTurn();
            } finally {
                line.unlock();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new CloudException(Fault.TRANSIENT, name + ": interrupted while waiting in line", e);
        }
    }

    private void waitForTurn() throws InterruptedException, CloudException {
        while (true) {
            long left;
            synchronized (state) {
                long now = nanoTime.getAsLong();
                left = next - now;
                if (left <= 0) {
                    next = now + distance;
                    return;
                }
            }
            if (left > PATIENCE_NANOS) {
                throw tooLong();
            }
            if (closed.getCount() == 0) {
                throw new CloudException(Fault.TRANSIENT, name + " is being stopped");
            }
            pause.nanos(left);
        }
    }

    private CloudException tooLong() {
        synchronized (state) {
            Duration after = Duration.ofNanos(Math.max(distance, next - nanoTime.getAsLong()));
            return new CloudException(Fault.RATE_LIMIT, name + ": too many calls in line", after);
        }
    }

    private void slowDown(Duration wish) {
        synchronized (state) {
            distance = Math.min(LONGEST_NANOS, Math.max(FIRST_NANOS, distance * 2));
            next = nanoTime.getAsLong() + Math.max(distance, wish.toNanos());
            log.info("{}: the cloud asks for fewer calls; now one every {} ms", name, distance / 1_000_000);
        }
    }

    private void speedUp() {
        synchronized (state) {
            long less = distance - distance / 8;
            distance = less < FIRST_NANOS / 2 ? configured : Math.max(configured, less);
        }
    }

    /** Lets everybody in line fail. */
    @Override
    public void close() {
        closed.countDown();
    }
}
