package nodepool.api.node;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import nodepool.api.json.JsonValue;
import nodepool.api.json.JsonValue.JsonNull;
import nodepool.api.json.Stored;
import nodepool.api.quota.QuotaInformation;
import nodepool.api.request.NodeRequest;

/**
 * A machine as every process sees it: where it is, whose it is, how to reach it.
 *
 * @param id ten digits, given by the store; empty for a node that was never stored
 * @param state where it stands
 * @param stateTime when {@code state} was last assigned; not reliable for records that others wrote, never proof of life
 * @param types the labels it can serve; the first one is used to look up its quota
 * @param place where it runs
 * @param allocation who may use it
 * @param machine what the provider knows about it
 * @param addresses where it can be reached
 * @param connection how to log in
 * @param use what its user noted; belongs to the user
 * @param stored how it lies in the store
 */
public record Node(
        String id,
        NodeState state,
        Instant stateTime,
        List<String> types,
        Place place,
        Allocation allocation,
        Machine machine,
        Addresses addresses,
        Connection connection,
        Use use,
        Stored stored) {

    /** Where a node runs. {@code provider} and {@code pool} are names of the configuration; the rest comes from the driver. */
    public record Place(
            Optional<String> provider,
            Optional<String> pool,
            Optional<String> cloud,
            Optional<String> region,
            Optional<String> az,
            Optional<String> hostId) {

        /** Nowhere yet. */
        public static final Place NONE = new Place(
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty());

        /** In that pool, the rest to be found out. */
        public static Place in(String provider, String pool) {
            return new Place(
                    Optional.of(provider),
                    Optional.of(pool),
                    Optional.empty(),
                    Optional.empty(),
                    Optional.empty(),
                    Optional.empty());
        }

        public Place withAz(Optional<String> zone) {
            return new Place(provider, pool, cloud, region, zone, hostId);
        }
    }

    /**
     * Who may use a node.
     *
     * @param allocatedTo id of the request it is reserved for; kept after the request is gone while the node is in use
     * @param tenantName of that request
     * @param requestor of that request
     */
    public record Allocation(Optional<String> allocatedTo, Optional<String> tenantName, Optional<String> requestor) {

        /** Free. */
        public static final Allocation NONE = new Allocation(Optional.empty(), Optional.empty(), Optional.empty());

        /** Reserved for that request. */
        public static Allocation to(NodeRequest request) {
            return new Allocation(
                    Optional.of(request.id()),
                    request.asker().tenantName(),
                    request.asker().requestor());
        }
    }

    /**
     * What the provider knows about a node.
     *
     * @param externalId the provider's id, needed to delete it; stored as soon as something exists. A provider whose id is
     *     a JSON object has its JSON text here
     * @param hostname as given to the machine
     * @param imageId path of the upload's record for a managed image, else the cloud image's configured name
     * @param launcher launcher id that built it, or {@code static driver}
     * @param createdTime when the record was made
     * @param resources what it uses; absent for records of old writers
     * @param slot number of a static or metastatic slot
     * @param attributes configured node attributes, a JSON object or null
     * @param driverData belongs to the driver
     */
    public record Machine(
            Optional<String> externalId,
            Optional<String> hostname,
            Optional<String> imageId,
            Optional<String> launcher,
            Optional<Instant> createdTime,
            Optional<QuotaInformation> resources,
            OptionalInt slot,
            JsonValue attributes,
            JsonValue driverData) {

        /** Nothing known. */
        public static final Machine NONE = new Machine(
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                OptionalInt.empty(),
                JsonNull.NULL,
                JsonNull.NULL);

        public Machine withExternalId(Optional<String> id) {
            return new Machine(id, hostname, imageId, launcher, createdTime, resources, slot, attributes, driverData);
        }

        public Machine withHostname(String name) {
            return new Machine(
                    externalId,
                    Optional.of(name),
                    imageId,
                    launcher,
                    createdTime,
                    resources,
                    slot,
                    attributes,
                    driverData);
        }

        public Machine withImageId(Optional<String> image) {
            return new Machine(
                    externalId, hostname, image, launcher, createdTime, resources, slot, attributes, driverData);
        }

        public Machine withLauncher(String launcherId, Instant created) {
            return new Machine(
                    externalId,
                    hostname,
                    imageId,
                    Optional.of(launcherId),
                    Optional.of(created),
                    resources,
                    slot,
                    attributes,
                    driverData);
        }

        public Machine withResources(QuotaInformation used) {
            return new Machine(
                    externalId,
                    hostname,
                    imageId,
                    launcher,
                    createdTime,
                    Optional.of(used),
                    slot,
                    attributes,
                    driverData);
        }

        public Machine withSlot(OptionalInt number) {
            return new Machine(
                    externalId, hostname, imageId, launcher, createdTime, resources, number, attributes, driverData);
        }

        public Machine withAttributes(JsonValue configured) {
            return new Machine(
                    externalId, hostname, imageId, launcher, createdTime, resources, slot, configured, driverData);
        }

        public Machine withDriverData(JsonValue data) {
            return new Machine(externalId, hostname, imageId, launcher, createdTime, resources, slot, attributes, data);
        }
    }

    /** Where a node can be reached; {@code interfaceIp} is the one its user connects to. */
    public record Addresses(
            Optional<String> interfaceIp,
            Optional<String> publicIpv4,
            Optional<String> privateIpv4,
            Optional<String> publicIpv6) {

        /** None yet. */
        public static final Addresses NONE =
                new Addresses(Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty());
    }

    /**
     * How to log in.
     *
     * @param port a number, a number as text, null, or for container drivers an object with credentials: never log it
     * @param type {@code ssh}, {@code winrm}, {@code network_cli}, {@code kubectl}, …
     * @param username login name
     * @param shellType {@code sh}, {@code cmd}, {@code powershell}, …
     * @param pythonPath where the user finds Python
     * @param hostKeys {@code "type base64"} each
     */
    public record Connection(
            JsonValue port,
            Optional<String> type,
            Optional<String> username,
            Optional<String> shellType,
            Optional<String> pythonPath,
            List<String> hostKeys) {

        /** The defaults of the wire contract: port 22, user {@code zuul}. */
        public static final Connection DEFAULT = new Connection(
                JsonValue.of(22), Optional.empty(), Optional.of("zuul"), Optional.empty(), Optional.empty(), List.of());

        public Connection {
            hostKeys = List.copyOf(hostKeys);
        }

        /** The port, if it is a whole number or text that is one. */
        public OptionalInt portNumber() {
            try {
                return port.asNumber()
                        .or(() -> port.asText().map(java.math.BigDecimal::new))
                        .map(number -> OptionalInt.of(number.intValueExact()))
                        .orElse(OptionalInt.empty());
            } catch (ArithmeticException | NumberFormatException notAPort) {
                return OptionalInt.empty();
            }
        }

        public Connection withHostKeys(List<String> keys) {
            return new Connection(port, type, username, shellType, pythonPath, keys);
        }
    }

    /**
     * What a node's user noted. We only read it.
     *
     * @param comment why it is held
     * @param userData any JSON
     * @param holdJob for which job it is held
     * @param holdExpiration seconds it may be held, counted from {@code stateTime}; absent or 0 means no limit
     */
    public record Use(
            Optional<String> comment, JsonValue userData, Optional<String> holdJob, OptionalLong holdExpiration) {

        /** Unused. */
        public static final Use NONE = new Use(Optional.empty(), JsonNull.NULL, Optional.empty(), OptionalLong.empty());
    }

    public Node {
        types = List.copyOf(types);
    }

    /** A node that is not stored yet and has no id. */
    public static Node draft(NodeState state, List<String> types, Place place, Machine machine, Instant now) {
        return new Node(
                "",
                state,
                now,
                types,
                place,
                Allocation.NONE,
                machine,
                Addresses.NONE,
                Connection.DEFAULT,
                Use.NONE,
                Stored.NEVER);
    }

    /** Whether it is reserved for a request. */
    public boolean isAllocated() {
        return allocation.allocatedTo().isPresent();
    }

    /** Whether it belongs to that pool of that provider. */
    public boolean isIn(String provider, String pool) {
        return place.provider().filter(provider::equals).isPresent()
                && place.pool().filter(pool::equals).isPresent();
    }

    public Node withId(String assigned) {
        return new Node(
                assigned, state, stateTime, types, place, allocation, machine, addresses, connection, use, stored);
    }

    public Node withState(NodeState next, Instant now) {
        return new Node(id, next, now, types, place, allocation, machine, addresses, connection, use, stored);
    }

    public Node withTypes(List<String> labels) {
        return new Node(id, state, stateTime, labels, place, allocation, machine, addresses, connection, use, stored);
    }

    public Node withPlace(Place where) {
        return new Node(id, state, stateTime, types, where, allocation, machine, addresses, connection, use, stored);
    }

    public Node withAllocation(Allocation to) {
        return new Node(id, state, stateTime, types, place, to, machine, addresses, connection, use, stored);
    }

    public Node withMachine(Machine known) {
        return new Node(id, state, stateTime, types, place, allocation, known, addresses, connection, use, stored);
    }

    public Node withAddresses(Addresses reachable) {
        return new Node(id, state, stateTime, types, place, allocation, machine, reachable, connection, use, stored);
    }

    public Node withConnection(Connection how) {
        return new Node(id, state, stateTime, types, place, allocation, machine, addresses, how, use, stored);
    }

    public Node withUse(Use noted) {
        return new Node(id, state, stateTime, types, place, allocation, machine, addresses, connection, noted, stored);
    }

    public Node withStored(Stored as) {
        return new Node(id, state, stateTime, types, place, allocation, machine, addresses, connection, use, as);
    }
}
