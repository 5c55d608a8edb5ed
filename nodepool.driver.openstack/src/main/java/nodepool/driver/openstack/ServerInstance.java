package nodepool.driver.openstack;

import java.util.Optional;
import nodepool.api.driver.CloudException;
import nodepool.api.driver.Instance;
import nodepool.api.node.Node;
import nodepool.driver.openstack.cloud.Server;

/** A server as launchers see it. */
final class ServerInstance {

    private final String cloud;
    private final Optional<String> region;
    private final ResourceUse use;

    /** @param region as configured for the provider */
    ServerInstance(String cloud, Optional<String> region, ResourceUse use) {
        this.cloud = cloud;
        this.region = region;
        this.use = use;
    }

    Instance of(Server server, Node.Addresses addresses) throws CloudException {
        return Instance.of(server.id(), status(server), server.metadata(), addresses)
                .withPlace(new Node.Place(
                        Optional.empty(), Optional.empty(), Optional.of(cloud), region, server.zone(), server.hostId()))
                .withQuota(use.of(server));
    }

    private static Instance.Status status(Server server) {
        if (server.isDeleted()) {
            return Instance.Status.DELETED;
        }
        return server.isActive() ? Instance.Status.READY : Instance.Status.PENDING;
    }
}
