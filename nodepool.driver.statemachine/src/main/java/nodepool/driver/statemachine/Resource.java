package nodepool.driver.statemachine;

import java.util.Map;

/**
 * Anything in a cloud that can leak.
 *
 * @param type letters and digits, fit for a metric name
 * @param id the cloud's
 * @param metadata as given when it was made
 */
public record Resource(String type, String id, Map<String, String> metadata) {

    public Resource {
        metadata = Map.copyOf(metadata);
    }
}
