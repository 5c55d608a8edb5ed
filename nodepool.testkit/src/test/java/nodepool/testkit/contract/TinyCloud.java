package nodepool.testkit.contract;

import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import nodepool.api.driver.CloudException;
import nodepool.api.driver.Provider;
import nodepool.api.driver.ProviderConfig;
import nodepool.api.driver.ProviderContext;
import nodepool.testkit.ManualClock;

/** The smallest cloud there is: machines boot for a second. */
final class TinyCloud implements CloudUnderTest {

    private static final Duration BOOT = Duration.ofSeconds(1);

    private final ManualClock clock;
    private final FaultPoints faults;
    private final Flaw flaw;
    private final Map<String, Machine> machines = new LinkedHashMap<>();
    private final Map<String, Instant> readyAt = new LinkedHashMap<>();
    private int number;

    TinyCloud(ManualClock clock, FaultPoints faults, Flaw flaw) {
        this.clock = clock;
        this.faults = faults;
        this.flaw = flaw;
    }

    String make(Map<String, String> metadata) throws CloudException {
        return faults.call(() -> made(metadata));
    }

    void delete(String id) throws CloudException {
        faults.call(() -> {
            remove(id);
            return id;
        });
    }

    List<Machine> list() throws CloudException {
        return faults.call(this::machines);
    }

    /** Absent if there is no such machine, else whether it has booted. */
    Optional<Boolean> isReady(String id) throws CloudException {
        return faults.call(() -> booted(id));
    }

    private synchronized Optional<Boolean> booted(String id) {
        return Optional.ofNullable(readyAt.get(id)).map(at -> !at.isAfter(clock.instant()));
    }

    private synchronized String made(Map<String, String> metadata) {
        String id = "tiny-" + ++number;
        machines.put(id, new Machine(id, metadata));
        readyAt.put(id, clock.instant().plus(BOOT));
        return id;
    }

    @Override
    public ProviderConfig config() {
        return new TinyConfig();
    }

    @Override
    public Provider open(ProviderContext context) {
        return new TinyProvider(this, flaw, context);
    }

    @Override
    public synchronized List<Machine> machines() {
        return List.copyOf(machines.values());
    }

    @Override
    public void plant(Map<String, String> metadata) {
        made(metadata);
    }

    @Override
    public synchronized void remove(String id) {
        machines.remove(id);
        readyAt.remove(id);
    }
}
