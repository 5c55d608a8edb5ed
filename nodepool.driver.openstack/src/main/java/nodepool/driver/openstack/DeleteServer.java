package nodepool.driver.openstack;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import nodepool.api.driver.CloudException;
import nodepool.api.driver.Step;
import nodepool.driver.openstack.cloud.Compute;
import nodepool.driver.openstack.cloud.Networking;
import nodepool.driver.openstack.cloud.Networking.FloatingIp;
import nodepool.driver.openstack.cloud.Server;

/**
 * Removes a server with its floating IPs, and any other server that was made for the same node, step by step.
 *
 * <pre>
 * (nothing) → told → gone
 * </pre>
 */
final class DeleteServer {

    /** A service that was told, and still has the server after so long, is told again. */
    private static final Duration TELL_AGAIN = Duration.ofSeconds(60);

    /** A server that went to ERROR meanwhile will not go by itself. */
    private static final Duration TELL_AGAIN_IN_ERROR = Duration.ofSeconds(5);

    private static final String TOLD = "told";
    private static final String SERVER = "server";
    private static final String NODE = "node";

    private final String provider;
    private final Compute compute;
    private final Networking networking;
    private final Inventory inventory;
    private final FloatingIps floatingIps;
    private final Clock clock;

    DeleteServer(
            String provider,
            Compute compute,
            Networking networking,
            Inventory inventory,
            FloatingIps floatingIps,
            Clock clock) {
        this.provider = provider;
        this.compute = compute;
        this.networking = networking;
        this.inventory = inventory;
        this.floatingIps = floatingIps;
        this.clock = clock;
    }

    /** The next step. */
    Step advance(String id, Map<String, String> memo) throws CloudException {
        return memo.containsKey(TOLD) ? look(memo) : begin(id);
    }

    private Step begin(String id) throws CloudException {
        Optional<Server> listed = Server.listed(inventory.servers().get(), id);
        Optional<Server> found = listed.isPresent() ? listed : compute.server(id);
        if (found.isEmpty() || found.get().isDeleted()) {
            return new Step.Gone();
        }
        return tell(found.get());
    }

    private Step tell(Server server) throws CloudException {
        for (FloatingIp one : floatingIps.of(server)) {
            networking.deleteFloatingIp(one.id());
        }
        compute.delete(server.id());
        Map<String, String> memo = new HashMap<>();
        memo.put(SERVER, server.id());
        memo.put(TOLD, Long.toString(clock.millis()));
        Ownership.node(server, provider).ifPresent(node -> memo.put(NODE, node));
        return new Step.Again(memo, Optional.of(server.id()), AwaitServer.LOOK);
    }

    private Step look(Map<String, String> memo) throws CloudException {
        String id = memo.getOrDefault(SERVER, "");
        Optional<Server> still = left(inventory.servers().get(), id);
        if (still.isEmpty()) {
            return goneOrSibling(id, memo);
        }
        Duration since =
                Duration.between(Instant.ofEpochMilli(Long.parseLong(memo.getOrDefault(TOLD, "0"))), clock.instant());
        Duration patience = still.get().isInError() ? TELL_AGAIN_IN_ERROR : TELL_AGAIN;
        return since.compareTo(patience) > 0
                ? tell(still.get())
                : new Step.Again(memo, Optional.of(id), AwaitServer.LOOK);
    }

    /** The listing in which the server is missing may be older than the server: a newer one decides. */
    private Step goneOrSibling(String id, Map<String, String> memo) throws CloudException {
        List<Server> now = inventory.servers().fetch();
        if (left(now, id).isPresent()) {
            return new Step.Again(memo, Optional.of(id), AwaitServer.LOOK);
        }
        String node = memo.getOrDefault(NODE, "");
        Optional<Server> sibling = now.stream()
                .filter(server -> !server.isDeleted())
                .filter(server ->
                        Ownership.node(server, provider).filter(node::equals).isPresent())
                .findFirst();
        return sibling.isPresent() ? tell(sibling.get()) : new Step.Gone();
    }

    private static Optional<Server> left(List<Server> servers, String id) {
        return Server.listed(servers, id).filter(server -> !server.isDeleted());
    }
}
