package nodepool.driver.openstack;

import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
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
import nodepool.api.event.EventListener;
import nodepool.api.quota.QuotaInformation;
import nodepool.driver.openstack.cloud.BlockStorage;
import nodepool.driver.openstack.cloud.Caller;
import nodepool.driver.openstack.cloud.Compute;
import nodepool.driver.openstack.cloud.Images;
import nodepool.driver.openstack.cloud.Images.Image;
import nodepool.driver.openstack.cloud.Networking;
import nodepool.driver.openstack.cloud.Server;
import nodepool.driver.openstack.clouds.CloudSettings;
import nodepool.driver.statemachine.Adapter;
import nodepool.driver.statemachine.Resource;
import nodepool.driver.statemachine.StateMachine;

/** OpenStack behind one provider: what launchers and builders ask, handed to the class that knows. Thread-safe; blocks. */
final class OpenStackAdapter implements Adapter {

    private static final Duration CALL_LIMIT = Duration.ofMinutes(4);

    private final OpenStackConfig config;
    private final Caller caller;
    private final Compute compute;
    private final BlockStorage volumes;
    private final Images images;
    private final Inventory inventory;
    private final CloudSettings.Networks networkSettings;
    private final boolean reachesVersion6;
    private final ResourceUse use;
    private final ServerInstance instances;
    private final CreateServer creation;
    private final DeleteServer deletion;
    private final Leftovers leftovers;
    private final ImageUpload uploads;

    /**
     * What an adapter lives in.
     *
     * @param executor for refreshing lists in the background
     * @param nanoTime {@link System#nanoTime()}
     * @param reachesVersion6 whether this machine has a way to addresses of version 6
     * @param events told of what is removed
     */
    record Surroundings(
            Executor executor, Clock clock, LongSupplier nanoTime, boolean reachesVersion6, EventListener events) {}

    OpenStackAdapter(OpenStackConfig config, CloudSettings settings, Caller caller, Surroundings around) {
        this.config = config;
        this.caller = caller;
        this.compute = new Compute(caller);
        Networking networking = new Networking(caller);
        this.volumes = new BlockStorage(caller);
        this.images = new Images(caller);
        this.networkSettings = settings.networks();
        this.reachesVersion6 = around.reachesVersion6();
        Inventory.Services services = new Inventory.Services(compute, networking, images, volumes);
        this.inventory = new Inventory(config.name(), services, around.executor(), around.nanoTime());
        this.use = new ResourceUse(inventory);
        FloatingIps floatingIps = new FloatingIps(networkSettings, networking, inventory);
        this.instances = new ServerInstance(settings.name(), config.region(), use);
        AwaitServer awaiting =
                new AwaitServer(compute, volumes, inventory, floatingIps, this::addresses, instances, around.clock());
        this.creation = new CreateServer(
                config.name(), compute, inventory, new ServerOrder(config, inventory), awaiting, around.clock());
        this.deletion = new DeleteServer(config.name(), compute, networking, inventory, floatingIps, around.clock());
        this.leftovers = new Leftovers(
                config,
                services,
                inventory,
                new PortSweep(
                        config.name(), networking, config.portCleanupInterval(), around.nanoTime(), around.events()),
                around.events());
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

    /** On the way, removes what cannot say whose it is. */
    @Override
    public List<Resource> listResources() throws CloudException {
        leftovers.sweepUnmarked();
        return leftovers.marked();
    }

    @Override
    public void deleteResource(Resource resource) throws CloudException {
        leftovers.delete(resource);
    }

    @Override
    public QuotaInformation getQuotaLimits() throws CloudException {
        return CloudLimits.of(compute.limits(), volumes.limits());
    }

    @Override
    public QuotaInformation getQuotaForLabel(LabelConfig label) throws CloudException {
        return use.of((OpenStackLabel) label);
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
        return leftovers.images().stream().map(OpenStackAdapter::existing).toList();
    }

    private static ManagedImages.Existing existing(Image image) {
        return new ManagedImages.Existing(image.id(), image.name(), image.properties());
    }
}
