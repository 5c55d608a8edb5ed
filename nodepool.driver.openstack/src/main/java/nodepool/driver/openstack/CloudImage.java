package nodepool.driver.openstack;

import java.util.Optional;
import nodepool.api.node.Node;

/**
 * An image that the cloud has.
 *
 * @param name what labels call it
 * @param id in the cloud; needs no lookup
 * @param lookup name in the cloud, unless there is an id
 * @param configDrive absent: the cloud decides
 * @param connection how users log in to its servers
 */
record CloudImage(
        String name, Optional<String> id, String lookup, Optional<Boolean> configDrive, Node.Connection connection) {}
