package nodepool.driver.statemachine;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import nodepool.api.driver.CloudException;
import nodepool.api.driver.CloudException.Fault;
import nodepool.api.verdict.Reason;

/**
 * Whether a cloud answers. After several calls in a row without an answer only one at a time is let through, until one is
 * answered: so an outage does not use up the attempts of every machine under way. Thread-safe.
 */
final class CloudHealth {

    private static final int LOST_IN_A_ROW = 3;
    private static final Duration PROBE_EVERY = Duration.ofSeconds(5);

    private final LongSupplier nanoTime;
    private final Consumer<Optional<Reason>> changed;
    private int lost;
    private int refused;
    private long nextProbe;
    private Optional<Reason> trouble = Optional.empty();

    /** @param changed told when {@link #trouble} comes or goes; on the thread of the call */
    CloudHealth(LongSupplier nanoTime, Consumer<Optional<Reason>> changed) {
        this.nanoTime = nanoTime;
        this.changed = changed;
    }

    /** Why the cloud answers badly. */
    synchronized Optional<Reason> trouble() {
        return trouble;
    }

    /** Lets a call pass, or refuses it with a fault that does not count as an attempt. */
    synchronized void admit() throws CloudException {
        if (lost < LOST_IN_A_ROW) {
            return;
        }
        long now = nanoTime.getAsLong();
        long left = nextProbe - now;
        if (left > 0 && left <= PROBE_EVERY.toNanos()) {
            throw new CloudException(
                    Fault.RATE_LIMIT,
                    trouble.map(Reason::detail).orElse(""),
                    Duration.ofNanos(Math.max(TimeUnit.MILLISECONDS.toNanos(100), left)));
        }
        nextProbe = now + PROBE_EVERY.toNanos();
    }

    /** The cloud has said something sensible, be it a refusal. */
    void answered() {
        boolean recovered;
        synchronized (this) {
            lost = 0;
            refused = 0;
            recovered = trouble.isPresent();
            trouble = Optional.empty();
        }
        if (recovered) {
            changed.accept(Optional.empty());
        }
    }

    /** A call was not answered in time. */
    void lost(String detail) {
        Optional<Reason> news;
        synchronized (this) {
            lost++;
            nextProbe = nanoTime.getAsLong() + PROBE_EVERY.toNanos();
            news = lost < LOST_IN_A_ROW ? Optional.empty() : inTrouble(detail);
        }
        news.ifPresent(reason -> changed.accept(Optional.of(reason)));
    }

    /** The cloud has answered that it does not know us, or with an error of its own. */
    void failed(String detail) {
        Optional<Reason> news;
        synchronized (this) {
            lost = 0;
            refused++;
            news = refused < LOST_IN_A_ROW ? Optional.empty() : inTrouble(detail);
        }
        news.ifPresent(reason -> changed.accept(Optional.of(reason)));
    }

    private Optional<Reason> inTrouble(String detail) {
        boolean isNew = trouble.isEmpty();
        trouble = Optional.of(Reason.of(Reason.Code.PROVIDER_DEGRADED, detail));
        return isNew ? trouble : Optional.empty();
    }
}
