package nodepool.driver.openstack;

import java.util.List;
import java.util.Optional;
import nodepool.api.driver.CloudException;
import nodepool.api.driver.CloudException.Fault;
import nodepool.api.driver.Launch;
import nodepool.driver.openstack.cloud.Images.Image;

/** Finds what the words of the configuration mean in the cloud, and puts it into the body of a request. */
final class ServerOrder {

    private final OpenStackConfig config;
    private final Inventory inventory;

    ServerOrder(OpenStackConfig config, Inventory inventory) {
        this.config = config;
        this.inventory = inventory;
    }

    /**
     * What to send for a launch.
     *
     * @throws CloudException naming what the cloud does not have: flavor, image or network
     */
    ServerBody body(Launch launch, Optional<String> zone) throws CloudException {
        OpenStackLabel label = (OpenStackLabel) launch.label();
        List<String> networks = label.networks();
        return new ServerBody(
                launch.hostname(),
                inventory.flavor(label).id(),
                image(launch, label),
                zone,
                config.configDrive(label),
                inventory.networkIds(networks.isEmpty() ? config.defaultNetwork() : networks),
                ServerMetadata.of(label, launch));
    }

    private String image(Launch launch, OpenStackLabel label) throws CloudException {
        if (label.diskImage().isPresent()) {
            return launch.upload()
                    .flatMap(upload -> upload.externalId())
                    .orElseThrow(() -> new CloudException(
                            Fault.NO_IMAGE,
                            "Unable to find current cloud image "
                                    + label.diskImage().get()));
        }
        CloudImage image = config.cloudImage(label)
                .orElseThrow(() -> new CloudException(
                        Fault.BAD_REQUEST, "label " + label.name() + " has neither diskimage nor cloud-image"));
        return image.id().isPresent()
                ? image.id().get()
                : inventory
                        .image(image.lookup())
                        .map(Image::id)
                        .orElseThrow(() ->
                                new CloudException(Fault.NO_IMAGE, "Unable to find cloud image " + image.lookup()));
    }
}
