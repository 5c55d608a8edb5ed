package nodepool.driver.fake;

import java.nio.file.Path;
import nodepool.api.driver.CloudException;
import nodepool.api.driver.ManagedImages;
import nodepool.testkit.contract.FaultPoints;

/** The fake cloud's images, each call of which can be broken. */
final class BreakableImages extends FakeImages {

    private final FaultPoints faults;

    BreakableImages(FaultPoints faults) {
        this.faults = faults;
    }

    @Override
    String upload(ManagedImages.NewImage image, Path file, int refusals) throws CloudException {
        return faults.call(() -> super.upload(image, file, refusals));
    }

    @Override
    void delete(String id) throws CloudException {
        faults.call(() -> {
            super.delete(id);
            return id;
        });
    }
}
