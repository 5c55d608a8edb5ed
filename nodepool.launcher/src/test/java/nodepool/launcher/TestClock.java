package nodepool.launcher;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.concurrent.atomic.AtomicReference;

/** Runs like any clock, and can be put forward. Thread-safe. */
final class TestClock extends Clock {

    private final AtomicReference<Duration> ahead = new AtomicReference<>(Duration.ZERO);

    void putForward(Duration by) {
        ahead.accumulateAndGet(by, Duration::plus);
    }

    @Override
    public Instant instant() {
        return Clock.systemUTC().instant().plus(ahead.get());
    }

    @Override
    public ZoneId getZone() {
        return ZoneOffset.UTC;
    }

    @Override
    public Clock withZone(ZoneId zone) {
        return this;
    }
}
