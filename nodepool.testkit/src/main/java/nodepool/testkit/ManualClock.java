package nodepool.testkit;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/** Time that passes when the test says so. Thread-safe. */
public final class ManualClock extends Clock {

    private final AtomicLong nanos;
    private final ZoneId zone;

    /** At a whole second some time ago, in UTC. */
    public ManualClock() {
        this(Instant.parse("2026-01-01T00:00:00Z"));
    }

    /** At that time, in UTC. */
    public ManualClock(Instant start) {
        this(new AtomicLong(Duration.between(Instant.EPOCH, start).toNanos()), ZoneOffset.UTC);
    }

    private ManualClock(AtomicLong nanos, ZoneId zone) {
        this.nanos = nanos;
        this.zone = zone;
    }

    /** Lets time pass; a negative duration turns the clock back, as NTP does. */
    public void advance(Duration by) {
        nanos.addAndGet(by.toNanos());
    }

    /** The same time as {@link System#nanoTime()} would have it. */
    public LongSupplier nanoTime() {
        return nanos::get;
    }

    @Override
    public Instant instant() {
        return Instant.EPOCH.plusNanos(nanos.get());
    }

    @Override
    public ZoneId getZone() {
        return zone;
    }

    /** Shows the same time elsewhere: both advance together. */
    @Override
    public Clock withZone(ZoneId other) {
        return new ManualClock(nanos, other);
    }
}
