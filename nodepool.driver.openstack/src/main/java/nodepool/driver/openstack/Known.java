package nodepool.driver.openstack;

import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import nodepool.api.driver.CloudException;
import nodepool.api.driver.CloudException.Fault;
import nodepool.driver.statemachine.CloudCall;

/**
 * What a cloud has said about things that seldom change: kept for an hour, or for a minute if there was nothing. Each is asked
 * for by one caller at a time. Thread-safe.
 */
final class Known<V> {

    private static final Duration FOUND = Duration.ofHours(1);
    private static final Duration NOT_FOUND = Duration.ofMinutes(1);

    private final LongSupplier nanoTime;
    private final Map<String, Slot<V>> slots = new ConcurrentHashMap<>();

    private static final class Slot<V> {
        private final ReentrantLock asking = new ReentrantLock();
        private Optional<V> value = Optional.empty();
        private long usableUntil;
        private boolean asked;
    }

    /** @param nanoTime {@link System#nanoTime()} */
    Known(LongSupplier nanoTime) {
        this.nanoTime = nanoTime;
    }

    /** What is known under that key, asked for if it is not known or too old. Blocks. */
    Optional<V> get(String key, CloudCall<Optional<V>> ask) throws CloudException {
        Slot<V> slot = slots.computeIfAbsent(key, missing -> new Slot<>());
        try {
            slot.asking.lockInterruptibly();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new CloudException(Fault.TRANSIENT, "interrupted while waiting for " + key, e);
        }
        try {
            if (!slot.asked || nanoTime.getAsLong() - slot.usableUntil >= 0) {
                slot.value = ask.call();
                slot.asked = true;
                slot.usableUntil = nanoTime.getAsLong() + (slot.value.isPresent() ? FOUND : NOT_FOUND).toNanos();
            }
            return slot.value;
        } finally {
            slot.asking.unlock();
        }
    }

    /** Asks anew from now on. */
    void forget() {
        slots.clear();
    }
}
