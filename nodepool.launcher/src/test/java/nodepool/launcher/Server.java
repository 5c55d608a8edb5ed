package nodepool.launcher;

import java.util.Map;
import java.util.Optional;
import nodepool.api.driver.Instance;
import nodepool.api.driver.Launch;
import nodepool.api.quota.QuotaInformation;

/**
 * A server of a {@link ScriptedCloud}.
 *
 * @param image it was made from
 * @param broken whether it ended in an error state
 */
record Server(
        String id,
        String hostname,
        Optional<String> zone,
        String image,
        Map<String, String> metadata,
        QuotaInformation uses,
        Instance.Status status,
        boolean broken) {

    /** The node it was made for; empty for servers of others. */
    String nodeId() {
        return metadata.getOrDefault(Launch.NODE_ID, "");
    }

    Server with(Instance.Status next) {
        return new Server(id, hostname, zone, image, metadata, uses, next, broken);
    }
}
