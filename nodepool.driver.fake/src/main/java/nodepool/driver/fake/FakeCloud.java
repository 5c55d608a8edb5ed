package nodepool.driver.fake;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import nodepool.api.driver.CloudException;

/**
 * A cloud that is a list of servers. They become active by the clock alone: nothing runs in here. Thread-safe. The calls
 * that can throw are its API; tests break them.
 */
class FakeCloud {

    /** One server. */
    record Server(String id, String hostname, String zone, Map<String, String> metadata, Instant activeAt) {

        Server activeAt(Instant time) {
            return new Server(id, hostname, zone, metadata, time);
        }
    }

    private final Clock clock;
    private final FakeServers servers;
    private final FakeImages images = new FakeImages();

    FakeCloud(Clock clock, FakeServers servers) {
        this.clock = clock;
        this.servers = servers;
    }

    FakeImages images() {
        return images;
    }

    /** Makes a server, unless the cloud is full. */
    Server create(String hostname, String zone, Map<String, String> metadata, Duration delay, int capacity)
            throws CloudException {
        return servers.add(
                new FakeServers.Draft(
                        hostname, zone, Map.copyOf(metadata), clock.instant().plus(delay)),
                capacity);
    }

    Optional<Server> find(String id) throws CloudException {
        return servers.find(id);
    }

    /** The server with that metadata value: what an earlier, interrupted call has made. */
    Optional<Server> findBy(String key, String value) throws CloudException {
        return servers.list().stream()
                .filter(server -> value.equals(server.metadata().get(key)))
                .findFirst();
    }

    void delete(String id) throws CloudException {
        servers.remove(id);
    }

    List<Server> list() throws CloudException {
        return servers.list();
    }

    /** How long until that server is active; zero or less if it is. */
    Duration untilActive(Server server) {
        return Duration.between(clock.instant(), server.activeAt());
    }
}
