package nodepool.driver.openstack;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import nodepool.api.driver.CloudException;
import nodepool.api.driver.CloudException.Fault;
import nodepool.api.driver.Launch;
import nodepool.api.driver.ManagedImages;
import nodepool.api.event.Event;
import nodepool.api.event.EventListener;
import nodepool.driver.openstack.cloud.BlockStorage.Volume;
import nodepool.driver.openstack.cloud.Images.Image;
import nodepool.driver.openstack.cloud.Networking.FloatingIp;
import nodepool.driver.openstack.cloud.Server;
import nodepool.driver.statemachine.Resource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What may be left in the cloud without anybody who uses it: things that say whose they are, and things that cannot. Blocks. */
final class Leftovers {

    private static final Logger log = LoggerFactory.getLogger("nodepool.driver.openstack");

    private static final String INSTANCE = "instance";
    private static final String FLOATING_IP = "floatingip";
    private static final String VOLUME = "volume";
    private static final String IMAGE = "image";

    private final OpenStackConfig config;
    private final Inventory.Services services;
    private final Inventory inventory;
    private final PortSweep ports;
    private final EventListener events;

    Leftovers(
            OpenStackConfig config,
            Inventory.Services services,
            Inventory inventory,
            PortSweep ports,
            EventListener events) {
        this.config = config;
        this.services = services;
        this.inventory = inventory;
        this.ports = ports;
        this.events = events;
    }

    /** Removes what cannot say whose it is, as far as that is configured. */
    void sweepUnmarked() throws CloudException {
        if (config.cleanFloatingIps()) {
            for (FloatingIp one : inventory.floatingIps().fetch()) {
                if (Ownership.metadata(one.description()).isEmpty()
                        && one.port().isEmpty()) {
                    log.warn("Deleting floating IP {} of provider {}: it leads nowhere", one.address(), config.name());
                    services.networking().deleteFloatingIp(one.id());
                    events.on(new Event.LeakRemoved(config.name(), "floatingips", one.id()));
                }
            }
        }
        ports.sweep();
    }

    /** Everything that says whose it is. A volume that a server still has goes with it. */
    List<Resource> marked() throws CloudException {
        List<Resource> all = new ArrayList<>();
        for (Server server : inventory.servers().fetch()) {
            if (!server.isDeleted()) {
                all.add(Resource.machine(server.id(), server.metadata()));
            }
        }
        for (FloatingIp one : inventory.floatingIps().fetch()) {
            Map<String, String> owner = Ownership.metadata(one.description());
            if (!owner.isEmpty()) {
                all.add(new Resource(FLOATING_IP, one.id(), owner));
            }
        }
        for (Volume volume : services.volumes().volumes()) {
            if (!volume.isInUse() && volume.metadata().containsKey(Launch.PROVIDER_NAME)) {
                all.add(new Resource(VOLUME, volume.id(), volume.metadata()));
            }
        }
        if (config.manageImages()) {
            for (Image image : images()) {
                all.add(new Resource(IMAGE, image.id(), image.properties()));
            }
        }
        return List.copyOf(all);
    }

    /** The images this provider has uploaded. */
    List<Image> images() throws CloudException {
        return services.images().with(Launch.PROVIDER_NAME, config.name()).stream()
                .filter(image -> image.properties().containsKey(ManagedImages.BUILD_ID))
                .toList();
    }

    /** Removes one of those that are marked. */
    void delete(Resource resource) throws CloudException {
        switch (resource.type()) {
            case INSTANCE -> services.compute().delete(resource.id());
            case FLOATING_IP -> services.networking().deleteFloatingIp(resource.id());
            case VOLUME -> services.volumes().delete(resource.id());
            case IMAGE -> services.images().delete(resource.id());
            default -> throw new CloudException(Fault.BAD_REQUEST, "cannot delete a " + resource.type());
        }
    }
}
