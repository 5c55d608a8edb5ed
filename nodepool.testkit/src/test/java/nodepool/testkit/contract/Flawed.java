package nodepool.testkit.contract;

import java.time.Duration;
import nodepool.testkit.ManualClock;

/** The kit on a driver with one flaw, which it gives up on soon. No test by itself. */
final class Flawed extends ProviderContract {
    private final Flaw flaw;

    Flawed(Flaw flaw) {
        this.flaw = flaw;
    }

    @Override
    protected CloudUnderTest openCloud(ManualClock clock, FaultPoints faults) {
        return new TinyCloud(clock, faults, flaw);
    }

    @Override
    protected Duration patience() {
        return Duration.ofSeconds(2);
    }
}
