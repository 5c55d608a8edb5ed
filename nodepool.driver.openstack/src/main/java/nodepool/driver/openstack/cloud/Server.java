package nodepool.driver.openstack.cloud;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A server as compute describes it.
 *
 * @param status {@code ACTIVE}, {@code BUILD}, {@code ERROR}, …
 * @param fault what compute says about an error
 * @param metadata as given when it was made
 * @param addresses in the order of the document
 * @param access addresses set by hand, which win over all others; version 4 and 6
 * @param flavor what it is
 * @param volumes ids of what is attached
 */
public record Server(
        String id,
        String name,
        String status,
        Optional<String> fault,
        Map<String, String> metadata,
        List<Address> addresses,
        Access access,
        Optional<String> zone,
        Optional<String> hostId,
        FlavorOf flavor,
        List<String> volumes) {

    /**
     * One address.
     *
     * @param network name of the network
     * @param version 4 or 6
     * @param floating whether it is a floating IP
     */
    public record Address(String network, String ip, int version, boolean floating) {}

    /** Addresses set by hand. */
    public record Access(Optional<String> ipv4, Optional<String> ipv6) {}

    /**
     * The flavor of a server: its id, or from microversion 2.47 on, its contents.
     *
     * @param id absent if the contents are there
     * @param embedded absent if the id is there
     */
    public record FlavorOf(Optional<String> id, Optional<Size> embedded) {}

    /** How much a flavor is. */
    public record Size(int cores, int ramMib) {}

    public Server {
        metadata = Map.copyOf(metadata);
        addresses = List.copyOf(addresses);
        volumes = List.copyOf(volumes);
    }

    static Server of(JsonNode json) {
        Map<String, String> metadata = new LinkedHashMap<>();
        json.path("metadata")
                .properties()
                .forEach(entry -> metadata.put(entry.getKey(), entry.getValue().asText()));
        List<String> volumes = new ArrayList<>();
        json.path("os-extended-volumes:volumes_attached")
                .forEach(one -> volumes.add(one.path("id").asText()));
        return new Server(
                json.path("id").asText(),
                json.path("name").asText(),
                json.path("status").asText("UNKNOWN"),
                text(json.path("fault"), "message"),
                metadata,
                addresses(json.path("addresses")),
                new Access(text(json, "accessIPv4"), text(json, "accessIPv6")),
                text(json, "OS-EXT-AZ:availability_zone"),
                text(json, "hostId"),
                flavor(json.path("flavor")),
                volumes);
    }

    private static List<Address> addresses(JsonNode networks) {
        List<Address> all = new ArrayList<>();
        networks.properties().forEach(network -> {
            for (JsonNode one : network.getValue()) {
                all.add(new Address(
                        network.getKey(),
                        one.path("addr").asText(),
                        one.path("version").asInt(4),
                        one.path("OS-EXT-IPS:type").asText().equals("floating")));
            }
        });
        return all;
    }

    private static FlavorOf flavor(JsonNode flavor) {
        return new FlavorOf(
                text(flavor, "id"),
                flavor.has("vcpus")
                        ? Optional.of(new Size(
                                flavor.path("vcpus").asInt(), flavor.path("ram").asInt()))
                        : Optional.empty());
    }

    /** A text that is neither null nor empty. */
    static Optional<String> text(JsonNode json, String key) {
        return Optional.of(json.path(key))
                .filter(value -> value.isValueNode() && !value.isNull())
                .map(JsonNode::asText)
                .filter(text -> !text.isEmpty());
    }

    /** The one with that id among several. */
    public static Optional<Server> listed(List<Server> servers, String id) {
        return servers.stream().filter(server -> server.id().equals(id)).findFirst();
    }

    public boolean isActive() {
        return status.equals("ACTIVE");
    }

    public boolean isInError() {
        return status.equals("ERROR");
    }

    /** Whether it is gone and only still listed. */
    public boolean isDeleted() {
        return status.equals("DELETED") || status.equals("SOFT_DELETED");
    }
}
