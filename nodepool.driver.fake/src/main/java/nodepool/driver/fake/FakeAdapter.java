package nodepool.driver.fake;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import nodepool.api.driver.CloudException;
import nodepool.api.driver.Instance;
import nodepool.api.driver.LabelConfig;
import nodepool.api.driver.Launch;
import nodepool.api.driver.ManagedImages;
import nodepool.api.driver.Step;
import nodepool.api.node.Node;
import nodepool.api.quota.QuotaInformation;
import nodepool.driver.fake.FakeCloud.Server;
import nodepool.driver.statemachine.Adapter;
import nodepool.driver.statemachine.Resource;
import nodepool.driver.statemachine.StateMachine;

/** The worked example: every call a driver's author writes, for a cloud that is a map. */
final class FakeAdapter implements Adapter {

    /** Key of the memory: the server this launch has made. */
    private static final String SERVER = "server";

    /** A server may be active before its time. */
    private static final Duration LOOK_AGAIN = Duration.ofSeconds(5);

    private static final int CORES = 4;
    private static final int RAM_MIB = 8192;

    private final FakeConfig config;
    private final FakeCloud cloud;

    FakeAdapter(FakeConfig config, FakeCloud cloud) {
        this.config = config;
        this.cloud = cloud;
    }

    @Override
    public Duration callTimeout() {
        return config.callTimeout();
    }

    /** First step: find or make the server. Every other step: look whether it is active. */
    @Override
    public StateMachine getCreateStateMachine(Launch launch, Optional<String> availabilityZone) {
        return memo -> {
            Server server = memo.containsKey(SERVER)
                    ? cloud.find(memo.get(SERVER))
                            .orElseThrow(() -> new CloudException(
                                    CloudException.Fault.MACHINE_FAILED, "server " + memo.get(SERVER) + " is gone"))
                    : findOrMake(launch, availabilityZone.orElse("az1"));
            Duration left = cloud.untilActive(server);
            return left.isNegative() || left.isZero()
                    ? new Step.Done(instance(server))
                    : new Step.Again(
                            Map.of(SERVER, server.id()),
                            Optional.of(server.id()),
                            left.compareTo(LOOK_AGAIN) < 0 ? left : LOOK_AGAIN);
        };
    }

    /** If this step was interrupted before its memory was stored, the server is there already. */
    private Server findOrMake(Launch launch, String zone) throws CloudException {
        Optional<Server> before = cloud.findBy(Launch.NODE_ID, launch.metadata().getOrDefault(Launch.NODE_ID, ""));
        return before.isPresent()
                ? before.get()
                : cloud.create(launch.hostname(), zone, launch.metadata(), config.delay(), config.servers());
    }

    @Override
    public StateMachine getDeleteStateMachine(String externalId) {
        return memo -> {
            cloud.delete(externalId);
            return new Step.Gone();
        };
    }

    @Override
    public List<Instance> listInstances() throws CloudException {
        return cloud.list().stream().map(this::instance).toList();
    }

    private Instance instance(Server server) {
        Duration left = cloud.untilActive(server);
        boolean active = left.isNegative() || left.isZero();
        Node.Addresses addresses =
                new Node.Addresses(Optional.of("fake"), Optional.of("fake"), Optional.of("fake"), Optional.empty());
        Node.Connection connection = new Node.Connection(
                nodepool.api.json.JsonValue.of(22),
                Optional.of("ssh"),
                Optional.of("zuul"),
                Optional.empty(),
                Optional.of("auto"),
                List.of("ssh-rsa FAKEKEY"));
        return Instance.of(
                        server.id(),
                        active ? Instance.Status.READY : Instance.Status.PENDING,
                        server.metadata(),
                        addresses)
                .withPlace(new Node.Place(
                        Optional.empty(),
                        Optional.empty(),
                        Optional.of("fake"),
                        Optional.empty(),
                        Optional.of(server.zone()),
                        Optional.of("fake")))
                .withConnection(connection)
                .withQuota(QuotaInformation.needs(CORES, 1, RAM_MIB));
    }

    @Override
    public List<Resource> listResources() throws CloudException {
        return cloud.list().stream()
                .map(server -> new Resource("instance", server.id(), server.metadata()))
                .toList();
    }

    @Override
    public void deleteResource(Resource resource) throws CloudException {
        cloud.delete(resource.id());
    }

    @Override
    public QuotaInformation getQuotaLimits() {
        return QuotaInformation.limits(Map.of(QuotaInformation.INSTANCES, (double) config.servers()));
    }

    @Override
    public QuotaInformation getQuotaForLabel(LabelConfig label) {
        return QuotaInformation.needs(CORES, 1, RAM_MIB);
    }

    @Override
    public String uploadImage(ManagedImages.NewImage image, Path file) throws CloudException {
        return cloud.images().upload(image, file, config.uploads().refusals());
    }

    @Override
    public void deleteImage(String externalId) throws CloudException {
        cloud.images().delete(externalId);
    }

    @Override
    public List<ManagedImages.Existing> listImages() {
        return cloud.images().list();
    }

    @Override
    public List<String> getAZs() {
        return List.of("az1", "az2");
    }
}
