package nodepool.driver.statemachine;

import java.util.Map;

/**
 * Anything in a cloud that can leak.
 *
 * @param type letters and digits: {@code instance}, {@code volume}
 * @param id the cloud's
 * @param metadata as given when it was made
 * @param plural name of the metric that counts removed ones: {@code instances}
 * @param machine whether {@code id} is what nodes keep as external id: then it has leaked as well if its node has another
 */
public record Resource(String type, String id, Map<String, String> metadata, String plural, boolean machine) {

    public Resource {
        metadata = Map.copyOf(metadata);
    }

    /** With the usual plural. */
    public Resource(String type, String id, Map<String, String> metadata) {
        this(type, id, metadata, type + "s");
    }

    /** Something other than a machine. */
    public Resource(String type, String id, Map<String, String> metadata, String plural) {
        this(type, id, metadata, plural, false);
    }

    /** A machine, of which a node has one only. */
    public static Resource machine(String externalId, Map<String, String> metadata) {
        return new Resource("instance", externalId, metadata, "instances", true);
    }
}
