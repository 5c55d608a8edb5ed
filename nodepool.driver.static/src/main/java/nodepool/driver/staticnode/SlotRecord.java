package nodepool.driver.staticnode;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import nodepool.api.json.JsonValue;
import nodepool.api.node.Node;
import nodepool.api.node.Node.Addresses;
import nodepool.api.node.Node.Connection;
import nodepool.api.node.Node.Machine;
import nodepool.api.node.Node.Place;
import nodepool.api.node.NodeState;

/** What the record of a slot says. Pure functions. */
final class SlotRecord {

    /** What stands where other drivers' nodes have their launcher. */
    static final String LAUNCHER = "static driver";

    private SlotRecord() {}

    /** A new record of a free slot. */
    static Node draft(String provider, StaticPool pool, StaticNode host, int slot, HostCheck.Found found, Instant now) {
        Node empty = Node.draft(
                NodeState.READY,
                host.labels(),
                Place.in(provider, pool.name()),
                Machine.NONE.withLauncher(LAUNCHER, now),
                now);
        return rewritten(empty, provider, pool, host, slot, found);
    }

    /** A record as it should be; keeps who it is, its state and what the driver has no say in. */
    static Node rewritten(
            Node node, String provider, StaticPool pool, StaticNode host, int slot, HostCheck.Found found) {
        return node.withTypes(host.labels())
                .withPlace(Place.in(provider, pool.name()))
                .withMachine(node.machine()
                        .withExternalId(Optional.of(host.name()))
                        .withHostname(host.name())
                        .withSlot(OptionalInt.of(slot))
                        .withAttributes(pool.nodeAttributes()))
                .withAddresses(new Addresses(
                        Optional.of(host.name()), found.publicIpv4(), Optional.empty(), found.publicIpv6()))
                .withConnection(new Connection(
                        JsonValue.of(host.port()),
                        Optional.of(host.connectionType()),
                        Optional.of(host.username()),
                        host.shellType(),
                        Optional.of(host.pythonPath()),
                        found.hostKeys()));
    }

    /** Whether two records of one slot mean the same; resolved addresses are not compared. */
    static boolean same(Node one, Node other) {
        return facts(one).equals(facts(other));
    }

    private static Facts facts(Node node) {
        return new Facts(
                node.types(),
                node.place().pool(),
                node.machine().externalId(),
                node.machine().hostname(),
                node.machine().slot(),
                node.machine().attributes(),
                node.connection().portNumber(),
                node.connection().type(),
                node.connection().username(),
                node.connection().shellType(),
                node.connection().pythonPath(),
                Set.copyOf(node.connection().hostKeys()));
    }

    private record Facts(
            List<String> types,
            Optional<String> pool,
            Optional<String> externalId,
            Optional<String> hostname,
            OptionalInt slot,
            JsonValue attributes,
            OptionalInt port,
            Optional<String> connectionType,
            Optional<String> username,
            Optional<String> shellType,
            Optional<String> pythonPath,
            Set<String> hostKeys) {}
}
