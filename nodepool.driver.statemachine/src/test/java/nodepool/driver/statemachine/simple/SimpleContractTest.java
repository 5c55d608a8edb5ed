package nodepool.driver.statemachine.simple;

import java.time.Duration;
import nodepool.testkit.ManualClock;
import nodepool.testkit.contract.CloudUnderTest;
import nodepool.testkit.contract.FaultPoints;
import nodepool.testkit.contract.ProviderContract;

/** The contract kit on a simple driver, and with it on the state machines, deadlines and listings below. */
class SimpleContractTest extends ProviderContract {

    @Override
    protected CloudUnderTest openCloud(ManualClock clock, FaultPoints faults) {
        return new SimpleCloud(clock, faults, Duration.ofSeconds(5));
    }
}
