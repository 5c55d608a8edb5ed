package nodepool.driver.openstack.clouds;

import java.util.List;

/** The services a driver talks to. */
public enum Service {
    IDENTITY("identity", "identity"),
    COMPUTE("compute", "compute"),
    IMAGE("image", "image"),
    NETWORK("network", "network"),
    BLOCK_STORAGE(
            "block-storage volumev3 volumev2 volume block-store", "block_storage block_store volumev3 volumev2 volume");

    private final String types;
    private final String keys;

    Service(String types, String keys) {
        this.types = types;
        this.keys = keys;
    }

    /** Official service type; used in messages and metrics. */
    public String word() {
        return types().get(0);
    }

    /** Types under which a catalog may list it, the preferred one first. */
    public List<String> types() {
        return List.of(types.split(" "));
    }

    /** First parts of the keys in {@code clouds.yaml} that are about it. */
    List<String> keys() {
        return List.of(keys.split(" "));
    }
}
