package nodepool.driver.statemachine.simple;

import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import nodepool.api.driver.CloudException;
import nodepool.api.driver.CloudException.Fault;
import nodepool.api.driver.Provider;
import nodepool.api.driver.ProviderConfig;
import nodepool.api.driver.ProviderContext;
import nodepool.driver.statemachine.CloudConfig;
import nodepool.driver.statemachine.CloudLabel;
import nodepool.driver.statemachine.TestLoad;
import nodepool.driver.statemachine.TextSection;
import nodepool.driver.statemachine.taskmanager.TaskManager;
import nodepool.testkit.ManualClock;
import nodepool.testkit.contract.CloudUnderTest;
import nodepool.testkit.contract.FaultPoints;

/** A cloud with one call to make and one to remove a machine, and the simple driver for it. */
final class SimpleCloud implements CloudUnderTest, SimpleTaskManagerAdapter {

    private final ManualClock clock;
    private final FaultPoints faults;
    private final Duration boot;
    private final Map<String, Server> servers = new LinkedHashMap<>();
    private int number;

    SimpleCloud(ManualClock clock, FaultPoints faults, Duration boot) {
        this.clock = clock;
        this.faults = faults;
        this.boot = boot;
    }

    /** One server as the listing tells of it. */
    record Server(String externalId, String hostname, Map<String, String> metadata, Instant up, boolean ready)
            implements SimpleTaskManagerInstance {
        @Override
        public boolean deleted() {
            return false;
        }

        @Override
        public Optional<String> interfaceIp() {
            return Optional.of("192.0.2.1");
        }
    }

    @Override
    public String createInstance(TaskManager manager, String hostname, Map<String, String> metadata, CloudLabel label)
            throws CloudException {
        return manager.rateLimit(() -> faults.call(() -> add(hostname, metadata)));
    }

    @Override
    public void deleteInstance(TaskManager manager, String externalId) throws CloudException {
        boolean known = faults.call(() -> drop(externalId));
        if (!known) {
            throw new CloudException(Fault.NOT_FOUND, externalId);
        }
    }

    @Override
    public List<Server> listInstances(TaskManager manager) throws CloudException {
        return faults.call(this::servers);
    }

    synchronized List<Server> servers() {
        return servers.values().stream()
                .map(one -> new Server(
                        one.externalId(),
                        one.hostname(),
                        one.metadata(),
                        one.up(),
                        !one.up().isAfter(clock.instant())))
                .toList();
    }

    private synchronized String add(String hostname, Map<String, String> metadata) {
        String id = "simple-" + ++number;
        servers.put(id, new Server(id, hostname, metadata, clock.instant().plus(boot), false));
        return id;
    }

    private synchronized boolean drop(String id) {
        return servers.remove(id) != null;
    }

    @Override
    public ProviderConfig config() {
        TextSection image = TextSection.of("name", "linux", "username", "debian", "key", "ssh-rsa AAAA");
        TextSection label = TextSection.of("name", "small", "cloud-image", "linux", "host-key-checking", "false");
        TextSection pool = TextSection.of("name", "main").with("labels", label);
        return CloudConfig.read(
                "simple",
                TextSection.of("name", "simple", "rate-limit", "0", "call-timeout", "1", "boot-timeout", "60")
                        .with("cloud-images", image)
                        .with("pools", pool),
                new TestLoad());
    }

    @Override
    public Provider open(ProviderContext context) {
        SimpleTaskManagerAdapter adapter = this;
        return new SimpleTaskManagerDriver("simple", SimpleTaskManagerDriver.USUAL) {
            @Override
            protected SimpleTaskManagerAdapter getSimpleAdapter(CloudConfig config) {
                return adapter;
            }
        }.getProvider(config(), context);
    }

    @Override
    public List<Machine> machines() {
        return servers().stream()
                .map(one -> new Machine(one.externalId(), one.metadata()))
                .toList();
    }

    @Override
    public void plant(Map<String, String> metadata) {
        add("planted", metadata);
    }

    @Override
    public void remove(String id) {
        drop(id);
    }
}
