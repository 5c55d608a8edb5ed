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

/**
 * A cloud in memory. Servers become active by the clock alone: nothing runs in here. Thread-safe. The calls that can throw
 * are its API; tests break them.
 */
class FakeCloud {

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
    Server create(String hostname, String zone, Map<String, String> metadata, Duration delay, int capacity)
            throws CloudException {
        synchronized (servers) {
            if (servers.size() >= capacity) {
                throw new CloudException(
                        Fault.QUOTA,
                        "Quota exceeded for instances: asked 1, used %d of %d".formatted(servers.size(), capacity));
            }
            return add(hostname, zone, metadata, delay);
        }
    }

    Optional<Server> find(String id) throws CloudException {
        synchronized (servers) {
            return Optional.ofNullable(servers.get(id));
        }
    }

    /** The server with that metadata value: what an earlier, interrupted call has made. */
    Optional<Server> findBy(String key, String value) throws CloudException {
        return servers().stream()
                .filter(server -> value.equals(server.metadata().get(key)))
                .findFirst();
    }

    void delete(String id) throws CloudException {
        drop(id);
    }

    List<Server> list() throws CloudException {
        return servers();
    }

    /** How long until that server is active; zero or less if it is. */
    Duration untilActive(Server server) {
        return Duration.between(clock.instant(), server.activeAt());
    }

    final Server add(String hostname, String zone, Map<String, String> metadata, Duration delay) {
        synchronized (servers) {
            Server server = new Server(
                    "fake-%06d".formatted(++made),
                    hostname,
                    zone,
                    Map.copyOf(metadata),
                    clock.instant().plus(delay));
            servers.put(server.id(), server);
            return server;
        }
    }

    final void drop(String id) {
        synchronized (servers) {
            servers.remove(id);
        }
    }

    final List<Server> servers() {
        synchronized (servers) {
            return List.copyOf(servers.values());
        }
    }
}
