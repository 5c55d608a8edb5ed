package nodepool.launcher;

import java.util.Collection;
import java.util.Optional;
import nodepool.api.config.Configuration;
import nodepool.api.node.Node;
import nodepool.api.registry.Registration;
import nodepool.api.request.NodeRequest;
import nodepool.api.request.RequestState;
import nodepool.api.store.Snapshot;

/**
 * Tells whether somebody will go on with what a launcher that is gone has left: a pending request with its half-built nodes.
 * That is whoever serves the pool of those nodes, be it already registered or only configured here, as after a restart.
 *
 * @param snapshot everything
 * @param configuration of this launcher
 */
record Heirs(Snapshot snapshot, Configuration configuration) {

    /** Whether somebody will go on with that request. */
    boolean existFor(NodeRequest request) {
        Collection<Node> nodes = snapshot.nodesAllocatedTo(request.id());
        return request.state() == RequestState.PENDING
                && !nodes.isEmpty()
                && (nodes.stream().allMatch(this::isConfigured) || isRegistered(nodes));
    }

    /** Whether somebody will go on with that node. */
    boolean existFor(Node node) {
        return node.allocation()
                .allocatedTo()
                .flatMap(snapshot::request)
                .filter(this::existFor)
                .isPresent();
    }

    /** While a provider's driver is absent nobody knows its pools; they hold what they own. */
    private boolean isConfigured(Node node) {
        return node.place()
                .provider()
                .flatMap(configuration::provider)
                .filter(entry -> entry.config().isEmpty()
                        || node.place()
                                .pool()
                                .flatMap(pool -> entry.config().get().pool(pool))
                                .isPresent())
                .isPresent();
    }

    private boolean isRegistered(Collection<Node> nodes) {
        return Registry.pools(snapshot).stream().anyMatch(pool -> nodes.stream().allMatch(node -> isIn(node, pool)));
    }

    private static boolean isIn(Node node, Registration.Pool pool) {
        Optional<String> name = pool.name();
        return name.isPresent() && node.isIn(pool.provider(), name.get());
    }
}
