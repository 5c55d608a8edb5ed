package nodepool.driver.metastatic;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import nodepool.api.driver.CloudException;
import nodepool.api.driver.CloudException.Fault;
import nodepool.api.driver.ProviderContext;
import nodepool.api.node.Node;
import nodepool.api.node.NodeState;
import nodepool.api.request.NodeRequest;
import nodepool.api.store.LockedNode;
import nodepool.api.store.Snapshot;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Everything that is done to our backing nodes. Each change is made on the record as it is in the store at that moment and
 * only if nobody changes it meanwhile, so several threads, generations of the provider and launchers may do so together.
 * Thread-safe; may block.
 */
final class BackingNodes {

    private static final int TRIES = 10;
    private static final Logger log = LoggerFactory.getLogger(MetastaticDriver.LOGGER);

    private record Shown(long snapshot, SlotTable table) {}

    private final MetastaticConfig config;
    private final ProviderContext context;
    private final OwnLocks locks;
    private volatile Shown shown = new Shown(-1, new SlotTable(List.of()));

    BackingNodes(MetastaticConfig config, ProviderContext context) {
        this.config = config;
        this.context = context;
        this.locks = new OwnLocks(context.nodes(), config.owner());
    }

    /** Who sits where, as far as that snapshot shows it. */
    SlotTable table(Snapshot snapshot) throws CloudException {
        Shown before = shown;
        if (before.snapshot() == snapshot.number()) {
            return before.table();
        }
        locks.forgetGone(snapshot);
        Set<String> ours = new HashSet<>();
        for (Node node : snapshot.nodes()) {
            if (SlotTable.claimsToBeOurs(config, node) && locks.hold(snapshot, node.id())) {
                ours.add(node.id());
            }
        }
        SlotTable table = SlotTable.of(config, snapshot, ours::contains);
        shown = new Shown(snapshot.number(), table);
        return table;
    }

    /** Gives that node a slot of a backing node we have: the one it was given before, or a free one. */
    Optional<Seat> seat(String nodeId, MetastaticLabel label, Snapshot snapshot) throws CloudException {
        SlotTable table = table(snapshot);
        Instant now = context.clock().instant();
        Optional<Duration> maxAge = label.backing().maxAge();
        List<BackingNode> candidates =
                new ArrayList<>(table.seatOf(nodeId).stream().toList());
        candidates.addAll(table.open(label.name(), maxAge, now));
        for (BackingNode candidate : candidates) {
            Optional<Seat> seat = change(candidate.id(), snapshot, backing -> backing.seat(nodeId, maxAge, now))
                    .flatMap(node -> seatOn(node, nodeId, snapshot));
            if (seat.isPresent()) {
                return seat;
            }
        }
        return Optional.empty();
    }

    private Optional<Seat> seatOn(Node backing, String nodeId, Snapshot snapshot) {
        return SlotTable.one(config, backing, snapshot)
                .map(one -> one.slotOf(nodeId))
                .flatMap(slot -> slot.isPresent() ? Optional.of(new Seat(backing, slot.getAsInt())) : Optional.empty());
    }

    /**
     * Takes over the node that a request of ours was fulfilled with, and gives its first slot to that node. Absent if it
     * cannot be had, or not yet.
     */
    Optional<Seat> claim(NodeRequest fulfilled, MetastaticLabel label, String nodeId) throws CloudException {
        for (String id : fulfilled.nodes()) {
            Optional<LockedNode> locked = lock(id);
            if (locked.isPresent()) {
                Node node = locked.get().node();
                boolean forUs = node.state() == NodeState.READY
                        && node.allocation().allocatedTo().equals(Optional.of(fulfilled.id()));
                if (forUs) {
                    return take(locked.get(), label, nodeId);
                }
                if (!SlotTable.claimsToBeOurs(config, node)) {
                    Await.value(context.nodes().unlock(locked.get().lock()));
                }
            }
        }
        return Optional.empty();
    }

    /** A lock that is ours already was taken by a step that did not get further, or by one that is at it just now. */
    private Optional<LockedNode> lock(String id) throws CloudException {
        Optional<LockedNode> taken = Await.value(context.nodes().tryLockLasting(id, config.owner()));
        return taken.isPresent() ? taken : Await.value(context.nodes().resumeLasting(id, config.owner()));
    }

    private Optional<Seat> take(LockedNode locked, MetastaticLabel label, String nodeId) throws CloudException {
        Instant now = context.clock().instant();
        Node node = locked.node();
        BackingUse use = BackingUse.fresh(
                        config.owner(), label, node.machine().createdTime().orElse(now))
                .withTaken(new TreeMap<>(Map.of(0, nodeId)));
        Optional<LockedNode> written = Await.value(
                context.nodes().writeIfUnchanged(locked.with(use.on(node.withState(NodeState.IN_USE, now)))));
        written.ifPresent(
                taken -> log.info("Node {} now backs {} slots of label {}", node.id(), use.slots(), label.name()));
        return written.map(taken -> new Seat(taken.node(), 0));
    }

    /** Frees the slot that node has. */
    void leave(String id, String nodeId, Snapshot snapshot) throws CloudException {
        change(id, snapshot, backing -> Optional.of(without(backing, nodeId)));
    }

    /** Frees the slot of a node that could not use it, and gives the backing node to nobody any more. */
    void failed(String id, String nodeId, Snapshot snapshot) throws CloudException {
        log.warn("Node {} could not be used on its backing node {}, which gets no more nodes", nodeId, id);
        change(id, snapshot, backing -> Optional.of(without(backing, nodeId).withFailed()));
    }

    private BackingUse without(BackingNode backing, String nodeId) {
        return backing.use().without(nodeId, context.clock().instant());
    }

    /** Gives that backing node to nobody any more. */
    void retire(String id, Snapshot snapshot) throws CloudException {
        change(id, snapshot, backing -> Optional.of(backing.use().withFailed()));
    }

    /**
     * Gives a backing node back to its provider, if it is still empty. It is retired first: from then on nobody can get a
     * slot on it.
     */
    void release(String id, Duration idle, Snapshot snapshot) throws CloudException {
        Optional<Node> retired = change(
                id,
                snapshot,
                backing -> backing.isEmpty() ? Optional.of(backing.use().withFailed()) : Optional.empty());
        Optional<LockedNode> locked = retired.isEmpty()
                ? Optional.empty()
                : Await.value(context.nodes().resumeLasting(id, config.owner()));
        if (locked.isPresent()) {
            Node used = locked.get()
                    .node()
                    .withState(NodeState.USED, context.clock().instant());
            Await.value(context.nodes().finish(locked.get().with(used)));
            log.info("Backing node {} has been idle for {} s, releasing", id, idle.toSeconds());
        }
    }

    /**
     * Changes what is noted in a backing node's record.
     *
     * @param next what to note; absent: nothing is to be done
     * @return the node with that noted; absent if nothing was to be done, or it is not our backing node any more
     */
    private Optional<Node> change(String id, Snapshot snapshot, Function<BackingNode, Optional<BackingUse>> next)
            throws CloudException {
        for (int i = 0; i < TRIES; i++) {
            Optional<LockedNode> locked = Await.value(context.nodes().resumeLasting(id, config.owner()));
            Optional<BackingNode> backing = locked.flatMap(node -> SlotTable.one(config, node.node(), snapshot));
            Optional<BackingUse> use = backing.flatMap(next);
            if (locked.isEmpty() || use.isEmpty()) {
                return Optional.empty();
            }
            Node node = locked.get().node();
            if (backing.map(BackingNode::use).equals(use)) {
                return Optional.of(node);
            }
            Optional<LockedNode> written = Await.value(
                    context.nodes().writeIfUnchanged(locked.get().with(use.get().on(node))));
            if (written.isPresent()) {
                return written.map(LockedNode::node);
            }
        }
        throw new CloudException(Fault.RATE_LIMIT, "backing node %s is changed by others all the time".formatted(id));
    }
}
