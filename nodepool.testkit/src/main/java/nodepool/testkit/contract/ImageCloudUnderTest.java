package nodepool.testkit.contract;

import java.util.List;

/** A cloud for one case of the kit whose provider starts machines from images of ours. */
public interface ImageCloudUnderTest extends CloudUnderTest {

    /** The images that exist, asked past the driver. */
    List<Machine> uploads();
}
