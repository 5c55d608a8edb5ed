package nodepool.api.driver;

import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import nodepool.api.json.JsonValue;
import nodepool.api.json.JsonValue.JsonNull;
import nodepool.api.node.Node;
import nodepool.api.quota.QuotaInformation;

/**
 * A machine as its cloud describes it.
 *
 * @param externalId the cloud's id
 * @param status whether it can be used, or is already gone
 * @param metadata as given when it was made
 * @param addresses where it can be reached
 * @param place cloud, region, zone and host; provider and pool are not looked at
 * @param connection replaces what the image's configuration says about logging in; absent: nothing is replaced
 * @param quota what it uses; absent: unknown
 * @param slot number of a slot, for drivers that have them
 * @param attributes defaults below the pool's node attributes, a JSON object or null
 * @param driverData stored with the node for the driver
 */
public record Instance(
        String externalId,
        Status status,
        Map<String, String> metadata,
        Node.Addresses addresses,
        Node.Place place,
        Optional<Node.Connection> connection,
        Optional<QuotaInformation> quota,
        OptionalInt slot,
        JsonValue attributes,
        JsonValue driverData) {

    /** Whether a machine can be used. */
    public enum Status {
        /** On its way, or in trouble. */
        PENDING,
        /** Runs. */
        READY,
        /** Gone, though still listed. */
        DELETED
    }

    public Instance {
        metadata = Map.copyOf(metadata);
    }

    /** A machine of which only the essentials are known. */
    public static Instance of(
            String externalId, Status status, Map<String, String> metadata, Node.Addresses addresses) {
        return new Instance(
                externalId,
                status,
                metadata,
                addresses,
                Node.Place.NONE,
                Optional.empty(),
                Optional.empty(),
                OptionalInt.empty(),
                JsonNull.NULL,
                JsonNull.NULL);
    }

    public Instance withPlace(Node.Place where) {
        return new Instance(
                externalId, status, metadata, addresses, where, connection, quota, slot, attributes, driverData);
    }

    public Instance withQuota(QuotaInformation uses) {
        return new Instance(
                externalId,
                status,
                metadata,
                addresses,
                place,
                connection,
                Optional.of(uses),
                slot,
                attributes,
                driverData);
    }

    public Instance withConnection(Node.Connection how) {
        return new Instance(
                externalId, status, metadata, addresses, place, Optional.of(how), quota, slot, attributes, driverData);
    }
}
