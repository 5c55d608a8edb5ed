package nodepool.driver.openstack;

import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.function.LongSupplier;
import nodepool.api.driver.CloudException;
import nodepool.api.driver.CloudException.Fault;
import nodepool.api.driver.Instance;
import nodepool.api.driver.LabelConfig;
import nodepool.api.driver.Launch;
import nodepool.api.driver.ManagedImages;
import nodepool.api.driver.ManagedImages.NewImage;
import nodepool.api.quota.QuotaInformation;
import nodepool.driver.openstack.cloud.BlockStorage;
import nodepool.driver.openstack.cloud.Caller;
import nodepool.driver.openstack.cloud.Compute;
import nodepool.driver.openstack.cloud.Images;
import nodepool.driver.openstack.cloud.Images.Image;
import nodepool.driver.openstack.cloud.Networking;
import nodepool.driver.openstack.cloud.Networking.FloatingIp;
import nodepool.driver.openstack.cloud.Server;
import nodepool.driver.openstack.clouds.CloudSettings;
import nodepool.driver.statemachine.Adapter;
import nodepool.driver.statemachine.Resource;
import nodepool.driver.statemachine.StateMachine;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** OpenStack behind one provider: what launchers and builders ask, handed to the class that knows. Thread-safe; blocks. */
final class OpenStackAdapter implements Adapter {

    private static final Logger log = LoggerFactory.getLogger("nodepool.driver.openstack");

    private static final Duration CALL_LIMIT = Duration.ofMinutes(4);

    private static final String INSTANCE = "instance";
    private static final String IMAGE = "image";
    private static final String FLOATING_IP = "floatingip";

    private final OpenStackConfig config;
    private final Caller caller;
    private final Compute compute;
    private final Networking networking;
    private final BlockStorage volumes;
    private final Images images;
    private final Inventory inventory;
    private final CloudSettings.Networks networkSettings;
    private final boolean reachesVersion6;
    private final ServerInstance instances;
    private final CreateServer creation;
    private final DeleteServer deletion;
    private final PortSweep ports;
    private final ImageUpload uploads;

    /**
     * What an adapter lives in.
     *
     * @param executor for refreshing lists in the background
     * @param nanoTime {@link System#nanoTime()}
     * @param reachesVersion6 whether this machine has a way to addresses of version 6
     */
    record Surroundings(Executor executor, Clock clock, LongSupplier nanoTime, boolean reachesVersion6) {}

    OpenStackAdapter(OpenStackConfig config, CloudSettings settings, Caller caller, Surroundings around) {
        this.config = config;
        this.caller = caller;
        this.compute = new Compute(caller);
        this.networking = new Networking(caller);
        this.volumes = new BlockStorage(caller);
        this.images = new Images(caller);
        this.networkSettings = settings.networks();
        this.reachesVersion6 = around.reachesVersion6();
        this.inventory = new Inventory(
                config.name(),
                new Inventory.Services(compute, networking, images, volumes),
                around.executor(),
                around.nanoTime());
        FloatingIps floatingIps = new FloatingIps(networkSettings, networking, inventory);
        this.instances = new ServerInstance(settings.name(), config.region(), inventory);
        this.creation =
                new CreateServer(config, compute, inventory, floatingIps, this::addresses, instances, around.clock());
        this.deletion = new DeleteServer(config.name(), compute, networking, inventory, floatingIps, around.clock());
        this.ports = new PortSweep(config.name(), networking, config.portCleanupInterval(), around.nanoTime());
        this.uploads = new ImageUpload(
                settings.images(), images, caller, config.uploads().timeout(), around.nanoTime());
    }

    private AddressChoice addresses() throws CloudException {
        return new AddressChoice(networkSettings, inventory.networks(), reachesVersion6);
    }

    /** Longer than a call's own deadline, which gives the better message. */
    @Override
    public Duration callTimeout() {
        return CALL_LIMIT;
    }

    @Override
    public void stop() {
        caller.close();
    }

    @Override
    public StateMachine getCreateStateMachine(Launch launch, Optional<String> availabilityZone) {
        return memo -> creation.advance(launch, availabilityZone, memo);
    }

    @Override
    public StateMachine getDeleteStateMachine(String externalId) {
        return memo -> deletion.advance(externalId, memo);
    }

    @Override
    public List<Instance> listInstances() throws CloudException {
        AddressChoice addresses = addresses();
        List<Instance> all = new ArrayList<>();
        for (Server server : inventory.servers().fetch()) {
            all.add(instances.of(server, addresses.choose(server, Optional.empty())));
        }
        return List.copyOf(all);
    }

    /** Servers, floating IPs and images that say whose they are. On the way, sweeps what cannot say so. */
    @Override
    public List<Resource> listResources() throws CloudException {
        List<Resource> all = new ArrayList<>();
        for (Server server : inventory.servers().fetch()) {
            if (!server.isDeleted()) {
                all.add(new Resource(INSTANCE, server.id(), server.metadata()));
            }
        }
        for (FloatingIp one : inventory.floatingIps().fetch()) {
            Map<String, String> owner = Ownership.metadata(one.description());
            if (!owner.isEmpty()) {
                all.add(new Resource(FLOATING_IP, one.id(), owner));
            } else if (config.cleanFloatingIps() && one.port().isEmpty()) {
                log.warn("Deleting floating IP {} of provider {}: it leads nowhere", one.address(), config.name());
                networking.deleteFloatingIp(one.id());
            }
        }
        if (config.manageImages()) {
            listImages().forEach(image -> all.add(new Resource(IMAGE, image.externalId(), image.metadata())));
        }
        ports.sweep();
        return List.copyOf(all);
    }

    @Override
    public void deleteResource(Resource resource) throws CloudException {
        switch (resource.type()) {
            case INSTANCE -> compute.delete(resource.id());
            case FLOATING_IP -> networking.deleteFloatingIp(resource.id());
            case IMAGE -> images.delete(resource.id());
            default -> throw new CloudException(Fault.BAD_REQUEST, "cannot delete a " + resource.type());
        }
    }

    @Override
    public QuotaInformation getQuotaLimits() throws CloudException {
        return CloudLimits.of(compute.limits(), volumes.limits());
    }

    @Override
    public QuotaInformation getQuotaForLabel(LabelConfig label) throws CloudException {
        OpenStackLabel wanted = (OpenStackLabel) label;
        return inventory.need(
                inventory.flavor(wanted),
                wanted.volumeSize().isPresent() ? 1 : 0,
                wanted.volumeSize().orElse(0));
    }

    /** A cloud that does not tell its zones has none to choose from. */
    @Override
    public List<String> getAZs() throws CloudException {
        try {
            return compute.zones();
        } catch (CloudException e) {
            if (e.fault() == Fault.NOT_FOUND) {
                return List.of();
            }
            throw e;
        }
    }

    @Override
    public boolean labelReady(LabelConfig label) throws CloudException {
        Optional<CloudImage> image = config.cloudImage(label);
        if (image.isEmpty()) {
            return false;
        }
        return image.get().id().isPresent()
                || inventory.image(image.get().lookup()).isPresent();
    }

    @Override
    public Optional<String> getConsoleLog(String externalId) throws CloudException {
        return compute.console(externalId);
    }

    @Override
    public String uploadImage(NewImage image, Path file) throws CloudException {
        return uploads.upload(image, file);
    }

    @Override
    public void deleteImage(String externalId) throws CloudException {
        images.delete(externalId);
    }

    @Override
    public List<ManagedImages.Existing> listImages() throws CloudException {
        return images.with(Launch.PROVIDER_NAME, config.name()).stream()
                .filter(image -> image.properties().containsKey(ManagedImages.BUILD_ID))
                .map(OpenStackAdapter::existing)
                .toList();
    }

    private static ManagedImages.Existing existing(Image image) {
        return new ManagedImages.Existing(image.id(), image.name(), image.properties());
    }
}
