package nodepool.driver.fake;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import nodepool.api.driver.CloudException;
import nodepool.api.driver.CloudException.Fault;

/** A cloud in memory. Servers become active by the clock alone: nothing runs in here. Thread-safe. */
final class FakeCloud {

    /** One server. */
    record Server(String id, String hostname, String zone, Map<String, String> metadata, Instant activeAt) {}

    private final Clock clock;
    private final FakeImages images = new FakeImages();
    private final Map<String, Server> servers = new LinkedHashMap<>();
    private int made;

    FakeCloud(Clock clock) {
        this.clock = clock;
    }

    FakeImages images() {
        return images;
    }

    /** Makes a server, unless the cloud is full. */
    synchronized Server create(String hostname, String zone, Map<String, String> metadata, Duration delay, int capacity)
            throws CloudException {
        if (servers.size() >= capacity) {
            throw new CloudException(
                    Fault.QUOTA,
                    "Quota exceeded for instances: asked 1, used %d of %d".formatted(servers.size(), capacity));
        }
        Server server = new Server(
                "fake-%06d".formatted(++made),
                hostname,
                zone,
                Map.copyOf(metadata),
                clock.instant().plus(delay));
        servers.put(server.id(), server);
        return server;
    }

    synchronized Optional<Server> find(String id) {
        return Optional.ofNullable(servers.get(id));
    }

    /** The server with that metadata value: what an earlier, interrupted call has made. */
    synchronized Optional<Server> findBy(String key, String value) {
        return servers.values().stream()
                .filter(server -> value.equals(server.metadata().get(key)))
                .findFirst();
    }

    synchronized void delete(String id) {
        servers.remove(id);
    }

    synchronized List<Server> list() {
        return List.copyOf(servers.values());
    }

    /** How long until that server is active; zero or less if it is. */
    Duration untilActive(Server server) {
        return Duration.between(clock.instant(), server.activeAt());
    }
}
