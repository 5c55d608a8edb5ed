package nodepool.driver.staticnode;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import nodepool.api.driver.ProviderContext;
import nodepool.api.node.Node;
import nodepool.api.node.NodeState;
import nodepool.api.store.LockedNode;
import nodepool.api.store.Snapshot;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Changes and removes free records: locks without waiting, looks again under the lock, writes. A record that somebody has
 * locked is left for a later pass. Confined to the lane.
 */
final class RecordWriter {

    private static final Logger log = LoggerFactory.getLogger("nodepool.driver.static");

    private final ProviderContext context;
    private final Lane lane;
    private final BooleanSupplier idle;
    private final Runnable wake;
    private final Set<String> busy = new HashSet<>();
    private final Map<String, Long> tried = new HashMap<>();
    private final Map<String, Node> written = new HashMap<>();

    RecordWriter(ProviderContext context, Lane lane, BooleanSupplier idle, Runnable wake) {
        this.context = context;
        this.lane = lane;
        this.idle = idle;
        this.wake = wake;
    }

    /** Forgets what was done to records that are gone. */
    void seen(Snapshot snapshot) {
        tried.keySet().removeIf(id -> snapshot.node(id).isEmpty());
        written.keySet().removeIf(id -> snapshot.node(id).isEmpty());
    }

    /** Brings a record up to date if it says anything else than it should; it keeps its id. */
    void update(String id, UnaryOperator<Node> wanted, Snapshot snapshot) {
        Optional<Node> seen = snapshot.node(id);
        if (seen.isEmpty()) {
            return;
        }
        Node target = wanted.apply(seen.get());
        boolean done = Optional.ofNullable(written.get(id))
                .filter(before -> SlotRecord.same(before, target))
                .isPresent();
        if (!done && !SlotRecord.same(seen.get(), target)) {
            change(id, snapshot, node -> {
                written.put(id, target);
                Node now = wanted.apply(node);
                return SlotRecord.same(node, now) ? Optional.empty() : Optional.of(now);
            });
        }
    }

    /** Marks a record for deletion, unless somebody has come to use it. */
    void deregister(String id, Snapshot snapshot) {
        change(
                id,
                snapshot,
                node -> Optional.of(
                        node.withState(NodeState.DELETING, context.clock().instant())));
    }

    private void change(String id, Snapshot snapshot, Function<Node, Optional<Node>> change) {
        boolean sameAsBefore = tried.getOrDefault(id, -1L) >= snapshot.number();
        if (snapshot.node(id).isEmpty() || snapshot.isLocked(id) || sameAsBefore || !busy.add(id)) {
            return;
        }
        tried.put(id, snapshot.number());
        context.nodes()
                .tryLock(id)
                .whenComplete((locked, failure) -> lane.post(() -> {
                    if (failure != null || locked == null || locked.isEmpty()) {
                        log.debug("Node {} is in other hands, leaving it as it is", id);
                        busy.remove(id);
                    } else {
                        write(locked.get(), change);
                    }
                }));
    }

    private void write(LockedNode locked, Function<Node, Optional<Node>> change) {
        Node node = locked.node();
        boolean free = node.state() == NodeState.READY && !node.isAllocated();
        Optional<Node> changed = free && !idle.getAsBoolean() ? change.apply(node) : Optional.empty();
        CompletionStage<?> end = changed.isPresent()
                ? context.nodes().finish(locked.with(changed.get()))
                : context.nodes().unlock(locked.lock());
        end.whenComplete((done, failure) -> lane.post(() -> {
            busy.remove(node.id());
            if (failure != null) {
                written.remove(node.id());
                log.debug("Changing node {} failed: {}", node.id(), failure.toString());
            } else {
                changed.ifPresent(now -> log.info(
                        now.state() == NodeState.READY
                                ? "Updated static node {}: {}"
                                : "Deregistered static node {}: {}",
                        now.id(),
                        StaticNode.Identity.of(node)));
                wake.run();
            }
        }));
    }
}
