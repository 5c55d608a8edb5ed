package nodepool.driver.fake;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import nodepool.api.driver.CloudException;

/** Where a fake cloud keeps its servers. Thread-safe. */
interface FakeServers {

    /** What a server is made from. */
    record Draft(String hostname, String zone, Map<String, String> metadata, Instant activeAt) {

        FakeCloud.Server withId(String id) {
            return new FakeCloud.Server(id, hostname, zone, metadata, activeAt);
        }
    }

    /**
     * Makes a server.
     *
     * @throws CloudException with {@link CloudException.Fault#QUOTA} if there are {@code capacity} servers already
     */
    FakeCloud.Server add(Draft draft, int capacity) throws CloudException;

    /** Removes a server, if it is there. */
    void remove(String id) throws CloudException;

    Optional<FakeCloud.Server> find(String id) throws CloudException;

    List<FakeCloud.Server> list() throws CloudException;

    static CloudException full(int used, int capacity) {
        return new CloudException(
                CloudException.Fault.QUOTA,
                "Quota exceeded for instances: asked 1, used %d of %d".formatted(used, capacity));
    }
}
