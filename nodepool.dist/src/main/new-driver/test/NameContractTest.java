package nodepool.driver.@name@;

import nodepool.testkit.ManualClock;
import nodepool.testkit.contract.CloudUnderTest;
import nodepool.testkit.contract.FaultPoints;
import nodepool.testkit.contract.ProviderContract;

/** What a launcher relies on, tried on this driver. */
class @Name@ContractTest extends ProviderContract {

    @Override
    protected CloudUnderTest openCloud(ManualClock clock, FaultPoints faults) throws Exception {
        return new @Name@Cloud(clock, faults);
    }
}
