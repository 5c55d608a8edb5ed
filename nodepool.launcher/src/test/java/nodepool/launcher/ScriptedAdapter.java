package nodepool.launcher;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import nodepool.api.driver.CloudException;
import nodepool.api.driver.CloudException.Fault;
import nodepool.api.driver.Instance;
import nodepool.api.driver.LabelConfig;
import nodepool.api.driver.Launch;
import nodepool.api.driver.Step;
import nodepool.api.json.JsonValue;
import nodepool.api.node.Node;
import nodepool.api.quota.QuotaInformation;
import nodepool.driver.statemachine.Adapter;
import nodepool.driver.statemachine.Resource;
import nodepool.driver.statemachine.StateMachine;

/** One process's way to a {@link ScriptedCloud}: when the process is dead, its calls change nothing any more. */
final class ScriptedAdapter implements Adapter {

    private static final String SERVER = "server";
    private static final Duration PAUSE = Duration.ofMillis(5);

    private final ScriptedCloud cloud;
    private final ScriptedDriver process;

    ScriptedAdapter(ScriptedCloud cloud, ScriptedDriver process) {
        this.cloud = cloud;
        this.process = process;
    }

    @Override
    public StateMachine getCreateStateMachine(Launch launch, Optional<String> availabilityZone) {
        return memo -> {
            String known = memo.get(SERVER);
            if (known == null) {
                Optional<Server> before = cloud().findOfNode(launch.metadata().getOrDefault(Launch.NODE_ID, ""));
                Server server = before.isPresent()
                        ? before.get()
                        : cloud().create(launch, availabilityZone, getQuotaForLabel(launch.label()));
                return new Step.Again(Map.of(SERVER, server.id()), Optional.of(server.id()), Duration.ZERO);
            }
            Server server =
                    cloud().find(known).orElseThrow(() -> new CloudException(Fault.MACHINE_FAILED, known + " is gone"));
            if (server.broken()) {
                throw new CloudException(Fault.MACHINE_FAILED, known + " is in an error state");
            }
            return server.status() == Instance.Status.READY
                    ? new Step.Done(instance(server))
                    : new Step.Again(memo, Optional.of(known), PAUSE);
        };
    }

    @Override
    public StateMachine getDeleteStateMachine(String externalId) {
        return memo -> cloud().delete(externalId) ? new Step.Gone() : new Step.Again(memo, Optional.empty(), PAUSE);
    }

    @Override
    public List<Instance> listInstances() throws CloudException {
        return cloud().list().stream().map(ScriptedAdapter::instance).toList();
    }

    private static Instance instance(Server server) {
        Optional<String> address = Optional.of("127.0.0.1");
        return Instance.of(
                        server.id(),
                        server.status(),
                        server.metadata(),
                        new Node.Addresses(address, address, address, Optional.empty()))
                .withPlace(new Node.Place(
                        Optional.empty(),
                        Optional.empty(),
                        Optional.of("scripted"),
                        Optional.of("region1"),
                        server.zone(),
                        Optional.of("host1")))
                .withQuota(server.uses());
    }

    @Override
    public List<Resource> listResources() throws CloudException {
        return cloud().listForSweep().stream()
                .map(server -> new Resource("instance", server.id(), server.metadata()))
                .toList();
    }

    @Override
    public void deleteResource(Resource resource) throws CloudException {
        cloud().delete(resource.id());
    }

    @Override
    public QuotaInformation getQuotaLimits() throws CloudException {
        return cloud().limits();
    }

    @Override
    public QuotaInformation getQuotaForLabel(LabelConfig label) throws CloudException {
        ScriptedConfig.Label scripted = (ScriptedConfig.Label) label;
        if (scripted.broken()) {
            throw new CloudException(Fault.BAD_REQUEST, "there is no such flavor");
        }
        return scripted.uses();
    }

    @Override
    public boolean labelReady(LabelConfig label) {
        return !label.cloudImage().equals(Optional.of("missing"));
    }

    @Override
    public List<String> getAZs() throws CloudException {
        return cloud().zones();
    }

    @Override
    public Optional<String> getConsoleLog(String externalId) {
        return Optional.of("console of " + externalId);
    }

    private ScriptedCloud cloud() throws CloudException {
        process.checkAlive();
        return cloud;
    }

    /** How users log in, unless a test's configuration says otherwise. */
    static Node.Connection connection(String type) {
        return new Node.Connection(
                JsonValue.of(type.equals("winrm") ? 5986 : 22),
                Optional.of(type),
                Optional.of("zuul"),
                Optional.empty(),
                Optional.of("auto"),
                List.of());
    }
}
