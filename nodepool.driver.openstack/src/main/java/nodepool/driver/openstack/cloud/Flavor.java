package nodepool.driver.openstack.cloud;

import com.fasterxml.jackson.databind.JsonNode;

/**
 * A size of servers.
 *
 * @param ramMib memory
 * @param cores virtual processors
 */
public record Flavor(String id, String name, int ramMib, int cores) {

    static Flavor of(JsonNode json) {
        return new Flavor(
                json.path("id").asText(),
                json.path("name").asText(),
                json.path("ram").asInt(),
                json.path("vcpus").asInt());
    }
}
