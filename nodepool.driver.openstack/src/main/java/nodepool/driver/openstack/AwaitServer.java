package nodepool.driver.openstack;

import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import nodepool.api.driver.CloudException;
import nodepool.api.driver.CloudException.Fault;
import nodepool.api.driver.Launch;
import nodepool.api.driver.Step;
import nodepool.api.node.Node;
import nodepool.driver.openstack.cloud.BlockStorage;
import nodepool.driver.openstack.cloud.Compute;
import nodepool.driver.openstack.cloud.FaultTable;
import nodepool.driver.openstack.cloud.Networking.FloatingIp;
import nodepool.driver.openstack.cloud.Server;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Brings a server that was asked for to where users can reach it, step by step.
 *
 * <pre>
 * server → (active) → done
 *                   → floating IP → (active) → done
 * </pre>
 */
final class AwaitServer {

    private static final Logger log = LoggerFactory.getLogger("nodepool.driver.openstack");

    /** Between two looks at something that takes seconds. */
    static final Duration LOOK = Duration.ofMillis(250);

    /** How long a server need not be in a listing, which may be older than the server or fail. */
    private static final Duration UNLISTED_LIMIT = Duration.ofSeconds(10);

    private static final Duration UNLISTED_LOOK = Duration.ofSeconds(5);
    private static final Duration FLOATING_IP_LIMIT = Duration.ofSeconds(60);

    private static final String SERVER = "server";
    private static final String FLOATING_IP = "floating-ip";
    private static final String SINCE = "since";

    private final Compute compute;
    private final BlockStorage volumes;
    private final Inventory inventory;
    private final FloatingIps floatingIps;
    private final AddressReader addresses;
    private final ServerInstance instances;
    private final Clock clock;

    /** Reads the networks as they are now. */
    @FunctionalInterface
    interface AddressReader {
        AddressChoice read() throws CloudException;
    }

    AwaitServer(
            Compute compute,
            BlockStorage volumes,
            Inventory inventory,
            FloatingIps floatingIps,
            AddressReader addresses,
            ServerInstance instances,
            Clock clock) {
        this.compute = compute;
        this.volumes = volumes;
        this.inventory = inventory;
        this.floatingIps = floatingIps;
        this.addresses = addresses;
        this.instances = instances;
        this.clock = clock;
    }

    /** The first step: the service has said which server it makes. */
    Step begin(String id) {
        return new Step.Again(Map.of(SERVER, id, SINCE, now()), Optional.of(id), LOOK);
    }

    /** Whether a memory comes from here. */
    static boolean isUnderWay(Map<String, String> memo) {
        return memo.containsKey(SERVER);
    }

    /** The next step. */
    Step advance(Launch launch, Map<String, String> memo) throws CloudException {
        return memo.containsKey(FLOATING_IP) ? awaitFloatingIp(memo) : look(launch, memo);
    }

    private Step look(Launch launch, Map<String, String> memo) throws CloudException {
        String id = memo.getOrDefault(SERVER, "");
        Optional<Server> listed = inventory.server(id);
        if (listed.isEmpty() && age(memo).compareTo(UNLISTED_LIMIT) < 0) {
            return new Step.Again(memo, Optional.of(id), LOOK);
        }
        Server server = listed.isPresent() ? listed.get() : byItself(id);
        if (server.isInError()) {
            markVolumes(launch, server);
            throw failed(server);
        }
        return server.isActive()
                ? active(launch, server)
                : new Step.Again(memo, Optional.of(id), listed.isPresent() ? LOOK : UNLISTED_LOOK);
    }

    private Server byItself(String id) throws CloudException {
        return compute.server(id)
                .orElseThrow(() -> new CloudException(Fault.MACHINE_FAILED, "server " + id + " has vanished"));
    }

    private Step active(Launch launch, Server server) throws CloudException {
        markVolumes(launch, server);
        AddressChoice choice = addresses.read();
        if (!((OpenStackPool) launch.pool()).autoFloatingIp() || !floatingIps.isNeeded(server, choice)) {
            return done(server, choice, Optional.empty());
        }
        FloatingIp given = floatingIps.findOrMake(server);
        return given.status().equals("ACTIVE")
                ? done(server, choice, Optional.of(given.address()))
                : new Step.Again(
                        Map.of(SERVER, server.id(), FLOATING_IP, given.id(), SINCE, now()),
                        Optional.of(server.id()),
                        LOOK);
    }

    /** Compute makes volumes that say nothing of themselves; should one outlive its server, nobody would know whose it was. */
    private void markVolumes(Launch launch, Server server) {
        if (((OpenStackLabel) launch.label()).volumeSize().isEmpty()) {
            return;
        }
        for (String volume : server.volumes()) {
            try {
                volumes.mark(volume, launch.metadata());
            } catch (CloudException e) {
                log.warn("Volume {} of server {} cannot be marked as ours: {}", volume, server.id(), e.getMessage());
            }
        }
    }

    private Step awaitFloatingIp(Map<String, String> memo) throws CloudException {
        String id = memo.getOrDefault(SERVER, "");
        String wanted = memo.getOrDefault(FLOATING_IP, "");
        Optional<FloatingIp> active = listed(inventory.floatingIps().get(), wanted);
        if (active.isPresent()) {
            Server server = byItself(id);
            return done(server, addresses.read(), Optional.of(active.get().address()));
        }
        if (age(memo).compareTo(FLOATING_IP_LIMIT) > 0) {
            throw new CloudException(Fault.TRANSIENT, "floating IP " + wanted + " did not become active in time");
        }
        return new Step.Again(memo, Optional.of(id), LOOK);
    }

    private static Optional<FloatingIp> listed(List<FloatingIp> all, String id) {
        return all.stream()
                .filter(one -> one.id().equals(id) && one.status().equals("ACTIVE"))
                .findFirst();
    }

    private Step done(Server server, AddressChoice choice, Optional<String> floating) throws CloudException {
        Node.Addresses found = choice.choose(server, floating);
        if (found.interfaceIp().isEmpty()) {
            throw new CloudException(
                    Fault.NO_ADDRESS, "server " + server.id() + " has no usable address: " + server.addresses());
        }
        return new Step.Done(instances.of(server, found));
    }

    /** The reason may appear a moment after the status. */
    private CloudException failed(Server server) throws CloudException {
        Optional<Server> now = server.fault().isPresent() ? Optional.of(server) : compute.server(server.id());
        String fault = now.flatMap(Server::fault).orElse("no reason given");
        return new CloudException(
                FaultTable.ofServer(fault), "server " + server.id() + " ended in status ERROR: " + fault);
    }

    private Duration age(Map<String, String> memo) {
        return Duration.ofMillis(clock.millis() - Long.parseLong(memo.getOrDefault(SINCE, "0")));
    }

    private String now() {
        return Long.toString(clock.millis());
    }
}
