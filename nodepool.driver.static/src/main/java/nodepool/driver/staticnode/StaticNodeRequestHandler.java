package nodepool.driver.staticnode;

import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import nodepool.api.driver.CloudException;
import nodepool.api.driver.Launch;
import nodepool.api.driver.NodeRequestHandler;
import nodepool.api.driver.Step;
import nodepool.api.node.Node;
import nodepool.driver.staticnode.StaticNode.Identity;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Checks that a host answers before it is given away. */
final class StaticNodeRequestHandler implements NodeRequestHandler {

    private static final Logger log = LoggerFactory.getLogger("nodepool.driver.static");

    private final StaticConfig config;
    private final HostCheck check;
    private final SlotKeeper keeper;

    StaticNodeRequestHandler(StaticConfig config, HostCheck check, SlotKeeper keeper) {
        this.config = config;
        this.check = check;
        this.keeper = keeper;
    }

    /** A record whose host is not in the configuration any more is about to be removed, and not given away. */
    @Override
    public CompletionStage<Boolean> checkAlive(Node node) {
        Identity identity = Identity.of(node);
        Optional<StaticNode> host = config.pools().stream()
                .flatMap(pool -> pool.nodes().stream())
                .filter(each -> each.identity().equals(identity))
                .findFirst();
        if (host.isEmpty()) {
            return CompletableFuture.completedStage(false);
        }
        return check.beforeUse(host.get()).handle((answered, failure) -> {
            if (failure != null) {
                log.warn("Failed to connect to node {} ({})", node.id(), identity);
                keeper.unreachable(host.get(), failure);
            }
            return failure == null;
        });
    }

    @Override
    public Step launch(Launch launch, Map<String, String> memo) throws CloudException {
        throw new CloudException(
                CloudException.Fault.BAD_REQUEST, "static provider " + config.name() + " launches nothing");
    }
}
