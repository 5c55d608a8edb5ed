package nodepool.driver.fake;

import nodepool.testkit.ManualClock;
import nodepool.testkit.contract.FaultPoints;
import nodepool.testkit.contract.ImageCloudUnderTest;
import nodepool.testkit.contract.ManagedImagesContract;

/** The contract kit on the fake driver's images. */
class FakeImagesContractTest extends ManagedImagesContract {

    @Override
    protected ImageCloudUnderTest openCloud(ManualClock clock, FaultPoints faults) {
        return new BreakableCloud(clock, faults);
    }
}
