package nodepool.driver.openstack;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import nodepool.api.node.Node;

/**
 * An image of the main list that is uploaded to the cloud.
 *
 * @param paused not uploaded while true
 * @param meta properties of the image in the cloud, over the main entry's
 * @param configDrive absent: the cloud decides
 * @param connection how users log in to its servers
 */
record ProviderImage(
        String name,
        boolean paused,
        Map<String, String> meta,
        Optional<Boolean> configDrive,
        Node.Connection connection) {

    ProviderImage {
        meta = Collections.unmodifiableMap(new LinkedHashMap<>(meta));
    }
}
