package nodepool.driver.openstack;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import nodepool.api.driver.CloudException;
import nodepool.api.quota.QuotaInformation;
import nodepool.driver.openstack.cloud.BlockStorage.Volume;
import nodepool.driver.openstack.cloud.Flavor;
import nodepool.driver.openstack.cloud.Server;

/** How much of the project's quota labels need and servers use. */
final class ResourceUse {

    private final Inventory inventory;

    ResourceUse(Inventory inventory) {
        this.inventory = inventory;
    }

    /** What one server of that label will use. */
    QuotaInformation of(OpenStackLabel label) throws CloudException {
        Flavor flavor = inventory.flavor(label);
        return label.volumeSize().isPresent()
                ? amounts(flavor.cores(), flavor.ramMib(), 1, label.volumeSize().getAsInt())
                : amounts(flavor.cores(), flavor.ramMib(), 0, 0);
    }

    /** What a server uses. One whose flavor is gone counts as one server and nothing else. */
    QuotaInformation of(Server server) throws CloudException {
        Server.Size size = server.flavor().embedded().orElse(new Server.Size(0, 0));
        Optional<String> id = server.flavor().id();
        if (id.isPresent()) {
            size = inventory.flavors().stream()
                    .filter(flavor -> flavor.id().equals(id.get()))
                    .findFirst()
                    .map(flavor -> new Server.Size(flavor.cores(), flavor.ramMib()))
                    .orElse(size);
        }
        List<Volume> known = server.volumes().isEmpty() ? List.of() : inventory.volumes();
        int gb = known.stream()
                .filter(volume -> server.volumes().contains(volume.id()))
                .mapToInt(Volume::gb)
                .sum();
        return amounts(size.cores(), size.ramMib(), server.volumes().size(), gb);
    }

    private static QuotaInformation amounts(int cores, int ramMib, int volumeCount, int volumeGb) {
        Map<String, Double> amounts = new HashMap<>();
        amounts.put(QuotaInformation.INSTANCES, 1.0);
        amounts.put(QuotaInformation.CORES, (double) cores);
        amounts.put(QuotaInformation.RAM, (double) ramMib);
        if (volumeCount > 0) {
            amounts.put(QuotaInformation.VOLUMES, (double) volumeCount);
            amounts.put(QuotaInformation.VOLUME_GB, (double) volumeGb);
        }
        return QuotaInformation.needs(amounts);
    }
}
