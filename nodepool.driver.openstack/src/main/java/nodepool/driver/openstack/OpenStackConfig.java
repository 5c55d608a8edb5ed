package nodepool.driver.openstack;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import nodepool.api.driver.ProviderConfig;

/**
 * An entry with {@code driver: openstack}.
 *
 * @param cloud entry of {@code clouds.yaml}
 * @param region of the cloud
 * @param callInterval between two calls; zero: no limit
 * @param images how images are uploaded
 * @param cleanFloatingIps whether floating IPs without a server are deleted
 * @param portCleanupInterval zero: ports are not cleaned
 * @param diskImages what is uploaded, in the order of the file
 * @param cloudImages what the cloud has, in the order of the file
 */
record OpenStackConfig(
        String name,
        int maxConcurrency,
        int launchRetries,
        Duration launchTimeout,
        Duration bootTimeout,
        String cloud,
        Optional<String> region,
        Duration callInterval,
        Uploads images,
        boolean cleanFloatingIps,
        Duration portCleanupInterval,
        List<ProviderImage> diskImages,
        List<CloudImage> cloudImages,
        List<OpenStackPool> pools)
        implements ProviderConfig {

    /**
     * How images are uploaded.
     *
     * @param nameFormat a {@link Template}
     * @param timeout of one upload
     * @param hook called after each
     */
    record Uploads(String nameFormat, Duration timeout, Optional<String> hook) {}

    OpenStackConfig {
        diskImages = List.copyOf(diskImages);
        cloudImages = List.copyOf(cloudImages);
        pools = List.copyOf(pools);
    }

    @Override
    public String driver() {
        return OpenStackDriver.WORD;
    }

    @Override
    public boolean manageImages() {
        return !diskImages.isEmpty();
    }
}
