package nodepool.driver.statemachine;

import java.util.Map;

/**
 * Anything in a cloud that can leak.
 *
 * @param type letters and digits: {@code instance}, {@code volume}
 * @param id the cloud's
 * @param metadata as given when it was made
 * @param plural name of the metric that counts removed ones: {@code instances}
 */
public record Resource(String type, String id, Map<String, String> metadata, String plural) {

    public Resource {
        metadata = Map.copyOf(metadata);
    }

    /** With the usual plural. */
    public Resource(String type, String id, Map<String, String> metadata) {
        this(type, id, metadata, type + "s");
    }
}
