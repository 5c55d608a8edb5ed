package nodepool.driver.metastatic;

import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import nodepool.api.driver.CloudException;
import nodepool.api.driver.Launch;
import nodepool.api.driver.NodeRequestHandler;
import nodepool.api.driver.Step;
import nodepool.api.node.Node;
import nodepool.api.store.SnapshotSource;

/** Reuses slots whose backing nodes are there and in one zone, and makes nodes of free ones. */
final class MetastaticRequestHandler implements NodeRequestHandler {

    private final SnapshotSource snapshots;
    private final SlotLaunch launch;

    MetastaticRequestHandler(SnapshotSource snapshots, SlotLaunch launch) {
        this.snapshots = snapshots;
        this.launch = launch;
    }

    @Override
    public boolean checkReusableNode(Node node, Collection<Node> others) {
        boolean lost = snapshots
                .current()
                .filter(snapshot -> Strays.hasLost(node, snapshot))
                .isPresent();
        Optional<String> zone =
                others.stream().flatMap(other -> other.place().az().stream()).findFirst();
        return !lost
                && (zone.isEmpty()
                        || node.place().az().isEmpty()
                        || node.place().az().equals(zone));
    }

    @Override
    public Step launch(Launch what, Map<String, String> memo) throws CloudException {
        return launch.step(what, memo);
    }
}
