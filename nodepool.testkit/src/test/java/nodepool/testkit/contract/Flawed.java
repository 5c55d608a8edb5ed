package nodepool.testkit.contract;

import java.time.Duration;
import nodepool.testkit.ManualClock;
import org.junit.jupiter.api.Disabled;

/** The kit on a driver with one flaw, which it gives up on soon. */
@Disabled("run by ProviderContractTest, flaw by flaw")
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
