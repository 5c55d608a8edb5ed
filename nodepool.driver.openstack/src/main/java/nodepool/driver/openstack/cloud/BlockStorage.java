package nodepool.driver.openstack.cloud;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import java.util.HashMap;
import java.util.Map;
import nodepool.api.driver.CloudException;
import nodepool.driver.openstack.clouds.Service;
import nodepool.driver.openstack.http.Call;

/** Calls to the block storage service, which a cloud need not have. */
public final class BlockStorage {

    private final Caller caller;

    public BlockStorage(Caller caller) {
        this.caller = caller;
    }

    /** GB of every volume of the project, by id; empty without the service. */
    public Map<String, Integer> volumeSizes() throws CloudException {
        Map<String, Integer> sizes = new HashMap<>();
        if (caller.has(Service.BLOCK_STORAGE)) {
            for (JsonNode volume : caller.list(Call.get(Service.BLOCK_STORAGE, "/volumes/detail"), "volumes")) {
                sizes.put(volume.path("id").asText(), volume.path("size").asInt());
            }
        }
        return Map.copyOf(sizes);
    }

    /** The project's limits, by the service's own names; a missing node without the service. */
    public JsonNode limits() throws CloudException {
        return caller.has(Service.BLOCK_STORAGE)
                ? caller.get(Service.BLOCK_STORAGE, "/limits").path("limits").path("absolute")
                : MissingNode.getInstance();
    }
}
