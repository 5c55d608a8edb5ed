package nodepool.driver.openstack;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What is sent to make a server.
 *
 * @param flavor id
 * @param image id
 * @param configDrive whether it must have a config drive
 * @param networks ids; empty: the cloud chooses
 */
record ServerBody(
        String name,
        String flavor,
        String image,
        Optional<String> zone,
        boolean configDrive,
        List<String> networks,
        Map<String, String> metadata) {

    ObjectNode toJson(OpenStackPool pool, OpenStackLabel label) {
        ObjectNode server = JsonNodeFactory.instance.objectNode();
        server.put("name", name).put("flavorRef", flavor).put("min_count", 1).put("max_count", 1);
        server.put("imageRef", label.volumeSize().isPresent() ? "" : image);
        label.keyName().ifPresent(key -> server.put("key_name", key));
        zone.ifPresent(place -> server.put("availability_zone", place));
        if (configDrive) {
            server.put("config_drive", true);
        }
        if (!pool.securityGroups().isEmpty()) {
            ArrayNode groups = server.putArray("security_groups");
            pool.securityGroups().forEach(group -> groups.addObject().put("name", group));
        }
        label.userData()
                .ifPresent(text -> server.put(
                        "user_data", Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8))));
        if (!networks.isEmpty()) {
            ArrayNode list = server.putArray("networks");
            networks.forEach(id -> list.addObject().put("uuid", id));
        }
        ObjectNode properties = server.putObject("metadata");
        metadata.forEach(properties::put);
        label.volumeSize()
                .ifPresent(size -> server.putArray("block_device_mapping_v2")
                        .addObject()
                        .put("boot_index", "0")
                        .put("uuid", image)
                        .put("source_type", "image")
                        .put("destination_type", "volume")
                        .put("volume_size", Integer.toString(size))
                        .put("delete_on_termination", true));
        return server;
    }
}
