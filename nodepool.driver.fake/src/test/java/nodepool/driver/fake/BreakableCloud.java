package nodepool.driver.fake;

import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import nodepool.api.driver.CloudException;
import nodepool.api.driver.Provider;
import nodepool.api.driver.ProviderConfig;
import nodepool.api.driver.ProviderContext;
import nodepool.api.driver.WantedImages;
import nodepool.api.json.JsonValue.JsonNull;
import nodepool.api.quota.QuotaInformation;
import nodepool.driver.statemachine.StateMachineProvider;
import nodepool.testkit.contract.FaultPoints;
import nodepool.testkit.contract.ImageCloudUnderTest;

/** The fake cloud, each call of which can be broken. What the kit asks aside goes to the real one. */
final class BreakableCloud extends FakeCloud implements ImageCloudUnderTest {

    private static final int SERVERS = 100;

    private final FaultPoints faults;
    private final Clock clock;
    private final MemoryServers servers;
    private final BreakableImages images;

    BreakableCloud(Clock clock, FaultPoints faults) {
        this(clock, faults, new MemoryServers());
    }

    private BreakableCloud(Clock clock, FaultPoints faults, MemoryServers servers) {
        super(clock, servers);
        this.clock = clock;
        this.faults = faults;
        this.servers = servers;
        this.images = new BreakableImages(faults);
    }

    @Override
    Server create(String hostname, String zone, Map<String, String> metadata, Duration delay, int capacity)
            throws CloudException {
        return faults.call(() -> super.create(hostname, zone, metadata, delay, capacity));
    }

    @Override
    Optional<Server> find(String id) throws CloudException {
        return faults.call(() -> super.find(id));
    }

    @Override
    Optional<Server> findBy(String key, String value) throws CloudException {
        return faults.call(() -> super.findBy(key, value));
    }

    @Override
    void delete(String id) throws CloudException {
        faults.call(() -> {
            super.delete(id);
            return id;
        });
    }

    @Override
    List<Server> list() throws CloudException {
        return faults.call(super::list);
    }

    @Override
    public ProviderConfig config() {
        FakeConfig.Label label = new FakeConfig.Label("small", Optional.empty(), Optional.of("image"), 8192);
        FakeConfig.Pool pool = new FakeConfig.Pool(
                "main", OptionalInt.empty(), 100, QuotaInformation.UNLIMITED, JsonNull.NULL, List.of(), List.of(label));
        WantedImages wanted = new WantedImages("qcow2", "{image_name}", Optional.empty(), List.of());
        return new FakeConfig(
                "fake",
                -1,
                3,
                Duration.ofHours(1),
                Duration.ofMillis(300),
                Duration.ofSeconds(5),
                SERVERS,
                Optional.empty(),
                new FakeUploads(wanted, 0),
                List.of(pool));
    }

    @Override
    public Provider open(ProviderContext context) {
        return new StateMachineProvider(
                "fake", new FakeAdapter((FakeConfig) config(), this), context, pool -> List.of(), bound -> 0);
    }

    @Override
    public List<Machine> machines() {
        List<Machine> machines = new ArrayList<>();
        servers.list().forEach(server -> machines.add(new Machine(server.id(), server.metadata())));
        return machines;
    }

    @Override
    FakeImages images() {
        return images;
    }

    @Override
    public List<Machine> uploads() {
        return images.list().stream()
                .map(image -> new Machine(image.externalId(), image.metadata()))
                .toList();
    }

    @Override
    public void plant(Map<String, String> metadata) {
        try {
            servers.add(new FakeServers.Draft("planted", "az1", Map.copyOf(metadata), clock.instant()), SERVERS);
        } catch (CloudException full) {
            throw new IllegalStateException(full);
        }
    }

    @Override
    public void remove(String id) {
        servers.remove(id);
    }
}
