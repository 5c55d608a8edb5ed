package nodepool.driver.openstack;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import nodepool.api.driver.CloudException;
import nodepool.api.driver.CloudException.Fault;
import nodepool.api.driver.Launch;
import nodepool.api.driver.Step;
import nodepool.api.node.Node;
import nodepool.driver.openstack.cloud.Caller;
import nodepool.driver.openstack.cloud.Compute;
import nodepool.driver.openstack.cloud.FaultTable;
import nodepool.driver.openstack.cloud.Images.Image;
import nodepool.driver.openstack.cloud.Networking.FloatingIp;
import nodepool.driver.openstack.cloud.Server;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes a server, step by step.
 *
 * <pre>
 * (nothing) → asked → server [→ floating IP] → done
 * </pre>
 *
 * <p>Two servers for one node are the danger: the service may have made one although its answer was lost, or the launcher ended
 * before it stored it. So a mark is stored before the service is asked. Only who set the mark a moment ago asks at once; whoever
 * else finds it looks for the server first.
 */
final class CreateServer {

    private static final Logger log = LoggerFactory.getLogger("nodepool.driver.openstack");

    /** Between two looks at something that takes seconds. */
    static final Duration LOOK = Duration.ofMillis(500);

    /** How long a server whose making was not confirmed is looked for before it is asked for again. */
    private static final Duration SEARCH = Duration.ofSeconds(20);

    private static final Duration SEARCH_PAUSE = Duration.ofSeconds(2);
    private static final Duration FLOATING_IP_LIMIT = Duration.ofSeconds(60);

    private static final String MARK = "mark";
    private static final String LOST = "lost";
    private static final String SERVER = "server";
    private static final String FLOATING_IP = "floating-ip";
    private static final String SINCE = "since";

    private final OpenStackConfig config;
    private final Compute compute;
    private final Inventory inventory;
    private final FloatingIps floatingIps;
    private final AddressReader addresses;
    private final ServerInstance instances;
    private final Clock clock;
    private final Set<String> freshMarks = ConcurrentHashMap.newKeySet();

    /** Reads the networks as they are now. */
    @FunctionalInterface
    interface AddressReader {
        AddressChoice read() throws CloudException;
    }

    CreateServer(
            OpenStackConfig config,
            Compute compute,
            Inventory inventory,
            FloatingIps floatingIps,
            AddressReader addresses,
            ServerInstance instances,
            Clock clock) {
        this.config = config;
        this.compute = compute;
        this.inventory = inventory;
        this.floatingIps = floatingIps;
        this.addresses = addresses;
        this.instances = instances;
        this.clock = clock;
    }

    /** The next step. */
    Step advance(Launch launch, Optional<String> zone, Map<String, String> memo) throws CloudException {
        if (memo.containsKey(FLOATING_IP)) {
            return awaitFloatingIp(memo);
        }
        if (memo.containsKey(SERVER)) {
            return look(launch, memo);
        }
        return memo.containsKey(MARK) ? make(launch, zone, memo) : mark();
    }

    private Step mark() {
        String mark = UUID.randomUUID().toString();
        freshMarks.add(mark);
        return new Step.Again(Map.of(MARK, mark), Optional.empty(), Duration.ZERO);
    }

    private Step make(Launch launch, Optional<String> zone, Map<String, String> memo) throws CloudException {
        if (!freshMarks.remove(memo.getOrDefault(MARK, ""))) {
            Optional<Server> before = find(launch);
            if (before.isPresent()) {
                log.info(
                        "Node {} has server {} already",
                        launch.node().id(),
                        before.get().id());
                return made(before.get().id());
            }
            if (memo.containsKey(LOST) && age(memo, LOST).compareTo(SEARCH) < 0) {
                return new Step.Again(memo, Optional.empty(), SEARCH_PAUSE);
            }
        }
        OpenStackPool pool = (OpenStackPool) launch.pool();
        OpenStackLabel label = (OpenStackLabel) launch.label();
        ServerBody body = body(launch, label, zone);
        try {
            return made(compute.create(body.toJson(pool, label)));
        } catch (CloudException e) {
            if (e.fault() == Fault.BAD_REQUEST) {
                inventory.forget();
            }
            if (!Caller.mayBeDone(e)) {
                throw e;
            }
            log.warn(
                    "Node {}: it is not known whether a server was made, looking for it: {}",
                    launch.node().id(),
                    e.getMessage());
            Map<String, String> next = new HashMap<>(memo);
            next.put(LOST, now());
            return new Step.Again(next, Optional.empty(), SEARCH_PAUSE);
        }
    }

    private Optional<Server> find(Launch launch) throws CloudException {
        return inventory.servers().fetch().stream()
                .filter(server -> !server.isDeleted())
                .filter(server -> Ownership.node(server, config.name())
                        .filter(launch.node().id()::equals)
                        .isPresent())
                .findFirst();
    }

    private static Step made(String id) {
        return new Step.Again(Map.of(SERVER, id), Optional.of(id), LOOK);
    }

    private ServerBody body(Launch launch, OpenStackLabel label, Optional<String> zone) throws CloudException {
        List<String> networks = label.networks();
        return new ServerBody(
                launch.hostname(),
                inventory.flavor(label).id(),
                image(launch, label),
                zone,
                config.configDrive(label),
                inventory.networkIds(networks.isEmpty() ? config.defaultNetwork() : networks),
                ServerMetadata.of(label, launch));
    }

    private String image(Launch launch, OpenStackLabel label) throws CloudException {
        if (label.diskImage().isPresent()) {
            return launch.upload()
                    .flatMap(upload -> upload.externalId())
                    .orElseThrow(() -> new CloudException(
                            Fault.NO_IMAGE,
                            "Unable to find current cloud image "
                                    + label.diskImage().get()));
        }
        CloudImage image = config.cloudImage(label)
                .orElseThrow(() -> new CloudException(
                        Fault.BAD_REQUEST, "label " + label.name() + " has neither diskimage nor cloud-image"));
        return image.id().isPresent()
                ? image.id().get()
                : inventory
                        .image(image.lookup())
                        .map(Image::id)
                        .orElseThrow(() ->
                                new CloudException(Fault.NO_IMAGE, "Unable to find cloud image " + image.lookup()));
    }

    /** What has become of the server. */
    private Step look(Launch launch, Map<String, String> memo) throws CloudException {
        String id = memo.getOrDefault(SERVER, "");
        Optional<Server> known = listed(inventory.servers().get(), id);
        Optional<Server> found =
                known.isPresent() ? known : listed(inventory.servers().fetch(), id);
        if (found.isEmpty() && compute.server(id).isEmpty()) {
            throw new CloudException(Fault.MACHINE_FAILED, "server " + id + " has vanished");
        }
        if (found.filter(Server::isInError).isPresent()) {
            throw failed(found.get());
        }
        if (found.filter(Server::isActive).isEmpty()) {
            return new Step.Again(memo, Optional.of(id), LOOK);
        }
        Server server = found.get();
        AddressChoice choice = addresses.read();
        if (((OpenStackPool) launch.pool()).autoFloatingIp() && floatingIps.isNeeded(server, choice)) {
            FloatingIp given = floatingIps.findOrMake(server);
            return given.status().equals("ACTIVE")
                    ? done(server, choice, Optional.of(given.address()))
                    : new Step.Again(Map.of(SERVER, id, FLOATING_IP, given.id(), SINCE, now()), Optional.of(id), LOOK);
        }
        return done(server, choice, Optional.empty());
    }

    private Step awaitFloatingIp(Map<String, String> memo) throws CloudException {
        String id = memo.getOrDefault(SERVER, "");
        String wanted = memo.getOrDefault(FLOATING_IP, "");
        Optional<FloatingIp> active = inventory.floatingIps().get().stream()
                .filter(one -> one.id().equals(wanted) && one.status().equals("ACTIVE"))
                .findFirst();
        if (active.isPresent()) {
            Server server = compute.server(id)
                    .orElseThrow(() -> new CloudException(Fault.MACHINE_FAILED, "server " + id + " has vanished"));
            return done(server, addresses.read(), Optional.of(active.get().address()));
        }
        if (age(memo, SINCE).compareTo(FLOATING_IP_LIMIT) > 0) {
            throw new CloudException(Fault.TRANSIENT, "floating IP " + wanted + " did not become active in time");
        }
        return new Step.Again(memo, Optional.of(id), LOOK);
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

    static Optional<Server> listed(List<Server> servers, String id) {
        return servers.stream().filter(server -> server.id().equals(id)).findFirst();
    }

    private String now() {
        return Long.toString(clock.millis());
    }

    private Duration age(Map<String, String> memo, String key) {
        return Duration.between(Instant.ofEpochMilli(Long.parseLong(memo.getOrDefault(key, "0"))), clock.instant());
    }
}
