package nodepool.driver.openstack;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import nodepool.api.driver.Launch;
import nodepool.driver.openstack.cloud.Server;

/** How things that have room for a single text only say whose they are: {@code nodepool provider/pool/node}. */
final class Ownership {

    private static final String WORD = "nodepool ";

    private Ownership() {}

    /** The text for something that belongs to a server with that metadata. */
    static String text(Map<String, String> metadata) {
        return WORD + metadata.getOrDefault(Launch.PROVIDER_NAME, "") + "/"
                + metadata.getOrDefault(Launch.POOL_NAME, "") + "/" + metadata.getOrDefault(Launch.NODE_ID, "");
    }

    /** The metadata in such a text; empty if it is another. */
    static Map<String, String> metadata(String text) {
        String[] parts = text.startsWith(WORD) ? text.substring(WORD.length()).split("/", -1) : new String[0];
        if (parts.length != 3) {
            return Map.of();
        }
        Map<String, String> metadata = new HashMap<>();
        metadata.put(Launch.PROVIDER_NAME, parts[0]);
        metadata.put(Launch.POOL_NAME, parts[1]);
        metadata.put(Launch.NODE_ID, parts[2]);
        return metadata;
    }

    /** The node a server was made for by that provider. */
    static Optional<String> node(Server server, String provider) {
        return provider.equals(server.metadata().get(Launch.PROVIDER_NAME))
                ? Optional.ofNullable(server.metadata().get(Launch.NODE_ID))
                : Optional.empty();
    }
}
