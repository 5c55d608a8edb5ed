package nodepool.driver.openstack;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import nodepool.testkit.ManualClock;
import nodepool.testkit.contract.CloudUnderTest;
import nodepool.testkit.contract.FaultPoints;
import nodepool.testkit.contract.ProviderContract;
import org.junit.jupiter.api.io.TempDir;

/** The contract kit on this driver: every step repeated after a crash, every call broken in every way. */
class OpenStackContractTest extends ProviderContract {

    @TempDir
    Path folder;

    @Override
    protected CloudUnderTest openCloud(ManualClock clock, FaultPoints faults) throws IOException {
        return new SimulatedCloud(clock, faults, Files.createTempDirectory(folder, "cloud"));
    }
}
