package nodepool.driver.openstack.cloud;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import nodepool.api.driver.CloudException;
import nodepool.api.driver.CloudException.Fault;
import nodepool.driver.openstack.clouds.Service;
import nodepool.driver.openstack.http.Call;

/** Calls to the block storage service, which a cloud need not have. */
public final class BlockStorage {

    private final Caller caller;

    public BlockStorage(Caller caller) {
        this.caller = caller;
    }

    /**
     * A volume.
     *
     * @param gb its size
     * @param status {@code available}, {@code in-use}, {@code error}, …
     * @param metadata that users have given it
     */
    public record Volume(String id, int gb, String status, Map<String, String> metadata) {

        public Volume {
            metadata = Map.copyOf(metadata);
        }

        static Volume of(JsonNode json) {
            Map<String, String> metadata = new LinkedHashMap<>();
            json.path("metadata")
                    .properties()
                    .forEach(entry ->
                            metadata.put(entry.getKey(), entry.getValue().asText()));
            return new Volume(
                    json.path("id").asText(),
                    json.path("size").asInt(),
                    json.path("status").asText(),
                    metadata);
        }

        /** Whether a server has it, or something is just being done with it. */
        public boolean isInUse() {
            return !status.equals("available") && !status.startsWith("error");
        }
    }

    /** Every volume of the project; none without the service. */
    public List<Volume> volumes() throws CloudException {
        return caller.has(Service.BLOCK_STORAGE)
                ? caller.list(Call.get(Service.BLOCK_STORAGE, "/volumes/detail"), "volumes").stream()
                        .map(Volume::of)
                        .toList()
                : List.of();
    }

    /** Adds to a volume's metadata. */
    public void mark(String id, Map<String, String> metadata) throws CloudException {
        ObjectNode body = JsonNodeFactory.instance.objectNode();
        metadata.forEach(body.putObject("metadata")::put);
        caller.call(Call.post(Service.BLOCK_STORAGE, "/volumes/" + id + "/metadata", body)
                .asRepeatable());
    }

    /** Removes a volume that no server has; one that is gone already counts as removed. */
    public void delete(String id) throws CloudException {
        try {
            caller.call(Call.delete(Service.BLOCK_STORAGE, "/volumes/" + id));
        } catch (CloudException e) {
            if (e.fault() != Fault.NOT_FOUND) {
                throw e;
            }
        }
    }

    /** The project's limits, by the service's own names; a missing node without the service. */
    public JsonNode limits() throws CloudException {
        return caller.has(Service.BLOCK_STORAGE)
                ? caller.get(Service.BLOCK_STORAGE, "/limits").path("limits").path("absolute")
                : MissingNode.getInstance();
    }
}
