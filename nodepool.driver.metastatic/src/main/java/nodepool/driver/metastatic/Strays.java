package nodepool.driver.metastatic;

import java.util.Optional;
import nodepool.api.driver.CloudException;
import nodepool.api.driver.ProviderContext;
import nodepool.api.node.Node;
import nodepool.api.node.NodeState;
import nodepool.api.store.LockedNode;
import nodepool.api.store.Snapshot;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Mends what crashes and people leave behind: locks without a use, slots without a node, nodes without a backing node. */
final class Strays {

    private static final Logger log = LoggerFactory.getLogger(MetastaticDriver.LOGGER);

    private final MetastaticConfig config;
    private final ProviderContext context;
    private final BackingNodes nodes;

    Strays(MetastaticConfig config, ProviderContext context, BackingNodes nodes) {
        this.config = config;
        this.context = context;
        this.nodes = nodes;
    }

    /** Looks at everything once. May block. */
    void collect(Snapshot snapshot) throws CloudException {
        SlotTable table = nodes.table(snapshot);
        for (BackingNode backing : table.backing()) {
            for (String id : backing.use().taken().values()) {
                if (snapshot.node(id).isEmpty()
                        && Await.value(context.nodes().read(id)).isEmpty()) {
                    log.info("Node {} is gone, freeing its slot on backing node {}", id, backing.id());
                    nodes.leave(backing.id(), id, snapshot);
                }
            }
        }
        for (Node node : snapshot.nodes()) {
            if (isStranded(node, snapshot)) {
                letGo(node.id());
            }
        }
        for (Node node : snapshot.nodesOf(config.name())) {
            if (isUnused(node) && hasLost(node, snapshot)) {
                deleteLost(node.id());
            }
        }
    }

    /** Whether it was given to us, and whoever was to take it over has died. */
    private boolean isStranded(Node node, Snapshot snapshot) {
        Node.Allocation to = node.allocation();
        return node.state() == NodeState.READY
                && to.requestor().equals(Optional.of(config.owner()))
                && snapshot.isLocked(node.id())
                && to.allocatedTo().flatMap(snapshot::request).isEmpty();
    }

    /**
     * The launchers make it free again when it is not locked any more. It is written first: whoever is about to take it over
     * after all then finds it changed.
     */
    private void letGo(String id) throws CloudException {
        Optional<LockedNode> locked = Await.value(context.nodes().resumeLasting(id, config.owner()))
                .filter(node -> node.node().state() == NodeState.READY);
        Optional<LockedNode> touched = locked.isEmpty()
                ? Optional.empty()
                : Await.value(context.nodes().writeIfUnchanged(locked.get()));
        if (touched.isPresent()) {
            log.info("Node {} was never taken over as a backing node, releasing", id);
            Await.value(context.nodes().unlock(touched.get().lock()));
        }
    }

    private static boolean isUnused(Node node) {
        return node.state() == NodeState.READY && !node.isAllocated();
    }

    /** Whether nothing is left of the backing node that it is a slot of. */
    static boolean hasLost(Node node, Snapshot snapshot) {
        return SlotNote.of(node)
                .map(SlotNote::backingNode)
                .filter(backing -> snapshot.node(backing)
                        .filter(there -> there.state() == NodeState.IN_USE)
                        .isEmpty())
                .isPresent();
    }

    /** Deletes the nodes that are ready for nobody in particular. */
    void deleteUnused(Snapshot snapshot) throws CloudException {
        for (Node node : snapshot.nodesOf(config.name())) {
            if (isUnused(node) && !snapshot.isLocked(node.id())) {
                Optional<LockedNode> locked = lockUnused(node.id());
                if (locked.isPresent()) {
                    log.info("Provider {} is to go, deleting node {}", config.name(), node.id());
                    delete(locked.get());
                }
            }
        }
    }

    private void deleteLost(String id) throws CloudException {
        Optional<LockedNode> locked = lockUnused(id);
        if (locked.isEmpty()) {
            return;
        }
        if (stillBacked(locked.get().node())) {
            Await.value(context.nodes().unlock(locked.get().lock()));
            return;
        }
        log.warn("Node {} has lost its backing node, deleting", id);
        delete(locked.get());
    }

    private Optional<LockedNode> lockUnused(String id) throws CloudException {
        Optional<LockedNode> locked = Await.value(context.nodes().tryLock(id));
        if (locked.isPresent() && !isUnused(locked.get().node())) {
            Await.value(context.nodes().unlock(locked.get().lock()));
            return Optional.empty();
        }
        return locked;
    }

    private void delete(LockedNode locked) throws CloudException {
        Await.value(context.nodes()
                .finish(locked.with(locked.node()
                        .withState(NodeState.DELETING, context.clock().instant()))));
    }

    private boolean stillBacked(Node node) throws CloudException {
        Optional<SlotNote> data = SlotNote.of(node);
        return data.isEmpty()
                || Await.value(context.nodes().read(data.get().backingNode()))
                        .filter(there -> there.state() == NodeState.IN_USE)
                        .isPresent();
    }
}
