package nodepool.launcher;

import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import nodepool.api.driver.CloudException;
import nodepool.api.driver.CloudException.Fault;
import nodepool.api.driver.Instance;
import nodepool.api.driver.Launch;
import nodepool.api.quota.QuotaInformation;

/**
 * A cloud in memory that does what a test tells it to. It outlives the launchers that use it, as real clouds do. Thread-safe.
 */
final class ScriptedCloud {

    private final Bell bell = new Bell();
    private final Map<String, Server> servers = new LinkedHashMap<>();
    private final Mishaps mishaps = new Mishaps();
    private QuotaInformation limits = QuotaInformation.UNLIMITED;
    private QuotaInformation claimedLimits = QuotaInformation.UNLIMITED;
    private List<String> zones = List.of();
    private boolean holding;
    private boolean holdingDeletions;
    private int made;
    private int creations;
    private int sweeps;
    private int most;

    // What a test tells it

    /** What the cloud says it allows, and enforces when a server is made. */
    void allow(QuotaInformation allowed) {
        change(() -> {
            limits = allowed;
            claimedLimits = allowed;
        });
    }

    /** What the cloud says it allows and does not enforce. */
    void claimToAllow(QuotaInformation allowed) {
        change(() -> claimedLimits = allowed);
    }

    /** Room for so many servers. */
    void allowServers(int number) {
        allow(QuotaInformation.limits(Map.of(QuotaInformation.INSTANCES, (double) number)));
    }

    void zones(String... names) {
        change(() -> zones = List.of(names));
    }

    /** From now on new servers are on their way until {@link #finish} or {@link #letGo}. */
    void hold() {
        change(() -> holding = true);
    }

    /** All servers on their way become ready, and new ones at once. */
    void letGo() {
        change(() -> {
            holding = false;
            servers.replaceAll((id, server) -> server.with(Instance.Status.READY));
        });
    }

    /** One server on its way becomes ready. */
    void finish(Server server) {
        change(() -> servers.computeIfPresent(server.id(), (id, known) -> known.with(Instance.Status.READY)));
    }

    /** From now on servers that are deleted stay until {@link #letDeletionsGo}. */
    void holdDeletions() {
        change(() -> holdingDeletions = true);
    }

    void letDeletionsGo() {
        change(() -> holdingDeletions = false);
    }

    /** From now on failures that are ordered quote this text, as clouds do with what they refuse. */
    void quote(String text) {
        change(() -> mishaps.quote(text));
    }

    /** The next calls that make a server fail, and nothing comes into being. */
    void failCreations(Fault fault, int times) {
        change(() -> mishaps.failCreations(fault, times));
    }

    /** The next calls that make a server end in a fault of the driver's own. */
    void failCreationsByBug(int times) {
        change(() -> mishaps.failCreationsByBug(times));
    }

    /** The next servers come into being and end in an error state. */
    void breakServers(int times) {
        change(() -> mishaps.breakServers(times));
    }

    /** The next calls that delete a server fail. */
    void failDeletions(int times) {
        change(() -> mishaps.failDeletions(times));
    }

    /** Runs in the middle of the next call that makes a server: the server is there, the caller does not know it yet. */
    void afterNextCreation(Runnable then) {
        change(() -> mishaps.afterNextCreation(then));
    }

    /** From now on every call fails. */
    void goDown() {
        change(() -> mishaps.goDown());
    }

    void comeBack() {
        change(() -> mishaps.comeBack());
    }

    /** Makes a server that no launcher of this test made. */
    Server makeForeign(Map<String, String> metadata, QuotaInformation uses) {
        String id = "foreign-" + metadata.hashCode();
        Server server =
                new Server(id, id, Optional.empty(), "other", Map.copyOf(metadata), uses, Instance.Status.READY, false);
        change(() -> servers.put(id, server));
        return server;
    }

    /** A server vanishes by itself, or is listed as deleted for ever. */
    void lose(Server server, boolean stayListed) {
        change(() -> {
            if (stayListed) {
                servers.put(server.id(), server.with(Instance.Status.DELETED));
            } else {
                servers.remove(server.id());
            }
        });
    }

    // What a test asks

    synchronized List<Server> servers() {
        return List.copyOf(servers.values());
    }

    /** How often a server was asked for, successfully or not. */
    synchronized int creations() {
        return creations;
    }

    /** The most servers there ever were at the same time. */
    synchronized int mostServers() {
        return most;
    }

    /** How often somebody looked for leaked resources. */
    synchronized int sweeps() {
        return sweeps;
    }

    /** Waits until the servers are as wanted. */
    List<Server> await(String what, Predicate<Collection<Server>> wanted) {
        return bell.await("in the cloud: " + what, () -> Optional.of(servers()).filter(wanted));
    }

    List<Server> awaitServers(int number) {
        return await(number + " servers", now -> now.size() == number);
    }

    void awaitCreations(int number) {
        bell.await(number + " creations", () -> Optional.of(creations()).filter(count -> count >= number));
    }

    void awaitSweeps(int number) {
        bell.await(number + " sweeps", () -> Optional.of(sweeps()).filter(count -> count >= number));
    }

    // What a driver calls

    Server create(Launch launch, Optional<String> zone, QuotaInformation uses) throws CloudException {
        try {
            Server made = tryToCreate(launch, zone, uses);
            takeAfterCreation().ifPresent(Runnable::run);
            return made;
        } finally {
            bell.ring();
        }
    }

    private synchronized Optional<Runnable> takeAfterCreation() {
        return mishaps.takeAfterCreation();
    }

    private synchronized Server tryToCreate(Launch launch, Optional<String> zone, QuotaInformation uses)
            throws CloudException {
        mishaps.checkUp();
        creations++;
        mishaps.beforeCreation();
        if (zone.isPresent() && !zones.isEmpty() && !zones.contains(zone.get())) {
            throw new CloudException(Fault.TRANSIENT, "no such zone: " + zone.get());
        }
        QuotaInformation left = limits.minus(uses);
        for (Server server : servers.values()) {
            left = left.minus(server.uses());
        }
        if (left.exceeded().isPresent()) {
            throw new CloudException(
                    Fault.QUOTA, "Quota exceeded for " + left.exceeded().get());
        }
        made++;
        String id = "server-" + made;
        String image = launch.upload()
                .flatMap(upload -> upload.externalId())
                .or(launch.label()::cloudImage)
                .orElse("");
        Server server = new Server(
                id,
                launch.hostname(),
                zone,
                image,
                launch.metadata(),
                uses,
                holding ? Instance.Status.PENDING : Instance.Status.READY,
                mishaps.breaksNextServer());
        servers.put(id, server);
        most = Math.max(most, servers.size());
        return server;
    }

    synchronized Optional<Server> find(String id) throws CloudException {
        mishaps.checkUp();
        return Optional.ofNullable(servers.get(id));
    }

    synchronized Optional<Server> findOfNode(String nodeId) throws CloudException {
        mishaps.checkUp();
        return servers.values().stream()
                .filter(server -> !nodeId.isEmpty() && server.nodeId().equals(nodeId))
                .findFirst();
    }

    /** Whether the server is gone now. */
    boolean delete(String id) throws CloudException {
        try {
            return tryToDelete(id);
        } finally {
            bell.ring();
        }
    }

    private synchronized boolean tryToDelete(String id) throws CloudException {
        mishaps.checkUp();
        mishaps.beforeDeletion();
        Server server = servers.get(id);
        if (server == null || server.status() == Instance.Status.DELETED) {
            throw new CloudException(Fault.NOT_FOUND, id + " does not exist");
        }
        if (!holdingDeletions) {
            servers.remove(id);
        }
        return !holdingDeletions;
    }

    synchronized List<Server> list() throws CloudException {
        mishaps.checkUp();
        return servers();
    }

    List<Server> listForSweep() throws CloudException {
        List<Server> all = list();
        change(() -> sweeps++);
        return all;
    }

    synchronized QuotaInformation limits() throws CloudException {
        mishaps.checkUp();
        return claimedLimits;
    }

    synchronized List<String> zones() throws CloudException {
        mishaps.checkUp();
        return zones;
    }

    private void change(Runnable change) {
        synchronized (this) {
            change.run();
        }
        bell.ring();
    }
}
