package nodepool.launcher;

import java.time.Clock;
import java.util.Collection;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import nodepool.api.node.Node;
import nodepool.api.node.NodeState;
import nodepool.api.store.LockedNode;
import nodepool.api.store.ProviderMark;
import nodepool.api.store.Snapshot;
import nodepool.api.store.Stores;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Deletes what providers that an operator drains keep in stock. Confined to the launcher's loop. */
final class Draining {

    private static final Logger log = LoggerFactory.getLogger("nodepool.NodePool");

    private final Loop loop;
    private final Clock clock;
    private final Stores stores;
    private final Set<String> inHand = new HashSet<>();

    Draining(Loop loop, Clock clock, Stores stores) {
        this.loop = loop;
        this.clock = clock;
        this.stores = stores;
    }

    void look(Collection<ProviderSlot> slots, Snapshot snapshot) {
        for (ProviderSlot slot : slots) {
            if (isDrained(slot.name(), snapshot)) {
                // What cannot be launched is not ours to remove: a static host stays where it is.
                slot.current()
                        .filter(generation -> generation.provider().launches())
                        .ifPresent(generation -> removeStock(slot.name(), snapshot));
            }
        }
    }

    static boolean isDrained(String provider, Snapshot snapshot) {
        return snapshot.mark(provider).equals(Optional.of(ProviderMark.DRAINED));
    }

    private void removeStock(String provider, Snapshot snapshot) {
        for (Node node : snapshot.nodesOf(provider)) {
            if (isStock(node) && !snapshot.isLocked(node.id()) && inHand.add(node.id())) {
                loop.after(stores.nodes().tryLock(node.id()), (found, failure) -> {
                    inHand.remove(node.id());
                    Outcome.value(found).ifPresent(locked -> remove(provider, locked));
                });
            }
        }
    }

    private void remove(String provider, LockedNode locked) {
        if (!isStock(locked.node())) {
            Loop.begin(stores.nodes().unlock(locked.lock()), log);
            return;
        }
        log.info(
                "Provider {} is drained: deleting node {}",
                provider,
                locked.node().id());
        Node deleting = locked.node().withState(NodeState.DELETING, clock.instant());
        Loop.begin(stores.nodes().finish(locked.with(deleting)), log);
    }

    private static boolean isStock(Node node) {
        return node.state() == NodeState.READY && !node.isAllocated();
    }
}
