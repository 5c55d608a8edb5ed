package nodepool.driver.fake;

import nodepool.testkit.ManualClock;
import nodepool.testkit.contract.CloudUnderTest;
import nodepool.testkit.contract.FaultPoints;
import nodepool.testkit.contract.ProviderContract;

/** The contract kit on the fake driver. */
class FakeContractTest extends ProviderContract {

    @Override
    protected CloudUnderTest openCloud(ManualClock clock, FaultPoints faults) {
        return new BreakableCloud(clock, faults);
    }
}
