package nodepool.driver.statemachine.simple;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import nodepool.api.driver.CloudException;
import nodepool.api.driver.Instance;
import nodepool.api.driver.LabelConfig;
import nodepool.api.driver.Launch;
import nodepool.api.driver.ProviderContext;
import nodepool.api.node.Node;
import nodepool.api.quota.QuotaInformation;
import nodepool.driver.statemachine.Adapter;
import nodepool.driver.statemachine.CachedListing;
import nodepool.driver.statemachine.CloudCall;
import nodepool.driver.statemachine.CloudConfig;
import nodepool.driver.statemachine.CloudLabel;
import nodepool.driver.statemachine.CloudPool;
import nodepool.driver.statemachine.MakeThenWait;
import nodepool.driver.statemachine.RemoveThenWait;
import nodepool.driver.statemachine.Resource;
import nodepool.driver.statemachine.StateMachine;
import nodepool.driver.statemachine.taskmanager.Task;
import nodepool.driver.statemachine.taskmanager.TaskManager;

/** A simple adapter as an {@link Adapter}: every call becomes a task, every machine a state machine. */
final class SimpleBridge implements Adapter {

    /** Key of a cloud image, and of the metadata in which its value goes to the machine. */
    static final String KEY = "key";

    private static final String SSH_KEYS = "ssh-keys";
    private static final Duration LIST_FRESH = Duration.ofSeconds(5);
    private static final Duration LIST_USABLE = Duration.ofMinutes(5);
    private static final Duration PAUSE = Duration.ofSeconds(2);

    private final CloudConfig config;
    private final ProviderContext context;
    private final TaskManager manager;
    private final SimpleTaskManagerAdapter cloud;
    private final CachedListing<List<? extends SimpleTaskManagerInstance>> listing;

    SimpleBridge(CloudConfig config, ProviderContext context, TaskManager manager, SimpleTaskManagerAdapter cloud) {
        this.config = config;
        this.context = context;
        this.manager = manager;
        this.cloud = cloud;
        this.listing = new CachedListing<>(
                config.name() + " instances",
                LIST_FRESH,
                LIST_USABLE,
                () -> asTask("ListInstances", () -> cloud.listInstances(manager)),
                context.executor(),
                context.clock());
    }

    /** The thread starts with the first call. */
    private <T> T asTask(String name, CloudCall<T> call) throws CloudException {
        manager.start();
        return manager.submitTask(new Task<T>() {
                    @Override
                    public String name() {
                        return name;
                    }

                    @Override
                    protected T main(TaskManager thread) throws CloudException {
                        return call.call();
                    }
                })
                .await();
    }

    @Override
    public Duration callTimeout() {
        return config.callTimeout();
    }

    @Override
    public void stop() {
        manager.stop();
        try {
            manager.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public StateMachine getCreateStateMachine(Launch launch, Optional<String> availabilityZone) {
        CloudLabel label = (CloudLabel) launch.label();
        boolean internal = ((CloudPool) launch.pool()).useInternalIp();
        MakeThenWait.Calls calls = new MakeThenWait.Calls() {
            @Override
            public Optional<String> find() throws CloudException {
                String node = launch.node().id();
                return listing.fetch().stream()
                        .filter(one ->
                                !one.deleted() && node.equals(one.metadata().get(Launch.NODE_ID)))
                        .<String>map(SimpleTaskManagerInstance::externalId)
                        .findFirst();
            }

            @Override
            public String make() throws CloudException {
                String hostname = "nodepool-" + launch.node().id();
                return asTask(
                        "CreateInstance",
                        () -> cloud.createInstance(manager, hostname, withKey(launch.metadata(), label), label));
            }

            @Override
            public Optional<Instance> look(String id) throws CloudException {
                for (SimpleTaskManagerInstance one : listing.recent()) {
                    if (one.externalId().equals(id)) {
                        return Optional.of(instance(one, internal));
                    }
                }
                return Optional.empty();
            }
        };
        return new MakeThenWait(calls, PAUSE, config.bootTimeout(), context.clock());
    }

    private static Map<String, String> withKey(Map<String, String> metadata, CloudLabel label) {
        Map<String, String> all = new HashMap<>(metadata);
        label.image()
                .flatMap(image -> image.text(KEY))
                .ifPresent(
                        key -> all.put(SSH_KEYS, label.connection().username().orElse("zuul") + ":" + key));
        return all;
    }

    @Override
    public StateMachine getDeleteStateMachine(String externalId) {
        return new RemoveThenWait(
                new RemoveThenWait.Calls() {
                    @Override
                    public void remove() throws CloudException {
                        asTask("DeleteInstance", () -> {
                            cloud.deleteInstance(manager, externalId);
                            return externalId;
                        });
                    }

                    @Override
                    public boolean isThere() throws CloudException {
                        return listing.fetch().stream()
                                .anyMatch(one ->
                                        !one.deleted() && one.externalId().equals(externalId));
                    }
                },
                PAUSE);
    }

    @Override
    public List<Instance> listInstances() throws CloudException {
        return listing.recent().stream().map(one -> instance(one, false)).toList();
    }

    @Override
    public List<Resource> listResources() throws CloudException {
        return listing.fetch().stream()
                .filter(one -> !one.deleted())
                .map(one -> new Resource("instance", one.externalId(), one.metadata()))
                .toList();
    }

    @Override
    public void deleteResource(Resource resource) throws CloudException {
        asTask("DeleteInstance", () -> {
            cloud.deleteInstance(manager, resource.id());
            return resource;
        });
    }

    @Override
    public QuotaInformation getQuotaLimits() throws CloudException {
        return asTask("GetQuotaLimits", () -> cloud.getQuotaLimits(manager));
    }

    @Override
    public QuotaInformation getQuotaForLabel(LabelConfig label) throws CloudException {
        return asTask("GetQuotaForLabel", () -> cloud.getQuotaForLabel(manager, (CloudLabel) label));
    }

    private static Instance instance(SimpleTaskManagerInstance one, boolean internal) {
        Optional<String> address = internal ? one.privateIpv4().or(one::interfaceIp) : one.interfaceIp();
        Instance.Status status = one.deleted()
                ? Instance.Status.DELETED
                : one.ready() && address.isPresent() ? Instance.Status.READY : Instance.Status.PENDING;
        return Instance.of(
                        one.externalId(),
                        status,
                        one.metadata(),
                        new Node.Addresses(address, one.publicIpv4(), one.privateIpv4(), one.publicIpv6()))
                .withPlace(new Node.Place(
                        Optional.empty(), Optional.empty(), Optional.empty(), one.region(), one.az(), Optional.empty()))
                .withQuota(one.getQuotaInformation());
    }
}
