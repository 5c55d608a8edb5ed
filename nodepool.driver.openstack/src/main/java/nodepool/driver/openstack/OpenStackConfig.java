package nodepool.driver.openstack;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import nodepool.api.driver.LabelConfig;
import nodepool.api.driver.ProviderConfig;
import nodepool.api.driver.WantedImages;
import nodepool.driver.openstack.clouds.CloudSettings;

/**
 * An entry with {@code driver: openstack}.
 *
 * @param cloud entry of {@code clouds.yaml}
 * @param region of the cloud
 * @param callInterval between two calls; zero: no limit
 * @param uploads how images are uploaded
 * @param cleanFloatingIps whether floating IPs without a server are deleted
 * @param portCleanupInterval zero: ports are not cleaned
 * @param diskImages what is uploaded, in the order of the file
 * @param cloudImages what the cloud has, in the order of the file
 * @param chosen what {@code clouds.yaml} says about {@code cloud}
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
        Uploads uploads,
        boolean cleanFloatingIps,
        Duration portCleanupInterval,
        List<ProviderImage> diskImages,
        List<CloudImage> cloudImages,
        List<OpenStackPool> pools,
        ChosenCloud chosen)
        implements ProviderConfig {

    private static final String USUAL_FORMAT = "qcow2";

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
    public ProviderConfig withoutCapacity() {
        return new OpenStackConfig(
                name,
                0,
                launchRetries,
                launchTimeout,
                bootTimeout,
                cloud,
                region,
                callInterval,
                uploads,
                cleanFloatingIps,
                portCleanupInterval,
                diskImages,
                cloudImages,
                pools.stream().map(OpenStackPool::withoutCapacity).toList(),
                chosen);
    }

    @Override
    public boolean manageImages() {
        return !diskImages.isEmpty();
    }

    @Override
    public Optional<WantedImages> wantedImages() {
        return Optional.of(new WantedImages(
                chosen.settings().map(settings -> settings.images().format()).orElse(USUAL_FORMAT),
                uploads.nameFormat(),
                uploads.hook(),
                diskImages.stream()
                        .map(image -> new WantedImages.Entry(image.name(), image.paused(), image.meta()))
                        .toList()));
    }

    /** The cloud's image that label starts from, if it starts from one. */
    Optional<CloudImage> cloudImage(LabelConfig label) {
        return label.cloudImage()
                .flatMap(name -> cloudImages.stream()
                        .filter(image -> image.name().equals(name))
                        .findFirst());
    }

    /** Whether servers of that label must have a config drive; otherwise the cloud decides. */
    boolean configDrive(OpenStackLabel label) {
        Optional<Boolean> said = label.diskImage().isPresent()
                ? diskImages.stream()
                        .filter(image ->
                                label.diskImage().filter(image.name()::equals).isPresent())
                        .findFirst()
                        .flatMap(ProviderImage::configDrive)
                : cloudImage(label).flatMap(CloudImage::configDrive);
        return said.orElse(false);
    }

    /** The network of servers whose label and pool name none: the one {@code clouds.yaml} reaches them in, if it says. */
    List<String> defaultNetwork() {
        return chosen.settings().stream()
                .flatMap(settings -> settings.networks().known().stream())
                .filter(CloudSettings.Network::defaultInterface)
                .map(CloudSettings.Network::name)
                .limit(1)
                .toList();
    }
}
