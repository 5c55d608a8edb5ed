package nodepool.driver.statemachine;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.function.LongSupplier;

/** A clock's time in nanoseconds. Unlike {@link System#nanoTime()} it follows a simulated clock, and may run backwards. */
final class ClockTicks {

    private ClockTicks() {}

    static LongSupplier of(Clock clock) {
        return () -> Duration.between(Instant.EPOCH, clock.instant()).toNanos();
    }
}
