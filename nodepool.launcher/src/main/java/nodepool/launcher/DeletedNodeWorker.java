package nodepool.launcher;

import java.time.Clock;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.function.Supplier;
import nodepool.api.config.Configuration;
import nodepool.api.event.Event;
import nodepool.api.event.EventListener;
import nodepool.api.node.Node;
import nodepool.api.node.NodeState;
import nodepool.api.store.LockedNode;
import nodepool.api.store.Snapshot;
import nodepool.api.store.SnapshotSource.Subscription;
import nodepool.api.store.Stores;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Removes the nodes of our providers that nobody has locked and whose state says that their user or builder is gone, and
 * takes back ready nodes whose request is gone. One loop for the whole process.
 */
final class DeletedNodeWorker {

    private static final Duration SAFETY_PASS = Duration.ofSeconds(30);
    private static final Duration FIRST_RETRY = Duration.ofSeconds(5);
    private static final Duration LONGEST_RETRY = Duration.ofMinutes(5);
    private static final Logger log = LoggerFactory.getLogger("nodepool.DeletedNodeWorker");

    private final Loop loop =
            new Loop("DeletedNodeWorker", this::pass, bug -> log.error("Error in DeletedNodeWorker", bug));
    private final Clock clock;
    private final Stores stores;
    private final Supplier<Optional<Configuration>> configuration;
    private final Function<String, Optional<ProviderSlot>> slots;
    private final EventListener events;
    private final Set<String> inHand = new HashSet<>();
    private final Map<String, NodeDeletion> deletions = new HashMap<>();
    private final BackOff backOff = new BackOff(FIRST_RETRY, LONGEST_RETRY);
    private final Subscription subscription;

    /** @param slots the providers this launcher has */
    DeletedNodeWorker(
            Clock clock,
            Stores stores,
            Supplier<Optional<Configuration>> configuration,
            Function<String, Optional<ProviderSlot>> slots,
            EventListener events) {
        this.clock = clock;
        this.stores = stores;
        this.configuration = configuration;
        this.slots = slots;
        this.events = events;
        this.subscription = stores.snapshots().onChange(loop::wake);
        loop.wakeEvery(SAFETY_PASS);
        loop.wake();
    }

    void wake() {
        loop.wake();
    }

    void close() {
        subscription.close();
        loop.close();
    }

    private void pass() {
        Optional<Snapshot> now = stores.snapshots().current();
        Optional<Configuration> config = configuration.get();
        if (now.isEmpty() || config.isEmpty()) {
            return;
        }
        Snapshot snapshot = now.get();
        Heirs heirs = new Heirs(snapshot, config.get());
        backOff.forgetIf(id -> snapshot.node(id).isEmpty());
        List.copyOf(deletions.values()).forEach(NodeDeletion::wake);
        for (Node node : snapshot.nodes()) {
            boolean abandoned = isAbandoned(node, snapshot);
            if ((abandoned || node.state().isGarbageWhenUnlocked())
                    && !inHand.contains(node.id())
                    && !snapshot.isLocked(node.id())
                    && !(node.state() == NodeState.BUILDING && heirs.existFor(node))
                    && backOff.isDue(node.id(), clock.instant())) {
                node.place().provider().flatMap(slots).ifPresent(slot -> {
                    inHand.add(node.id());
                    if (abandoned) {
                        takeBack(node.id());
                    } else {
                        delete(node.id(), slot);
                    }
                });
            }
        }
    }

    private static boolean isAbandoned(Node node, Snapshot snapshot) {
        return node.state() == NodeState.READY
                && node.allocation()
                        .allocatedTo()
                        .filter(request -> snapshot.request(request).isEmpty())
                        .isPresent();
    }

    private void delete(String id, ProviderSlot slot) {
        NodeDeletion deletion = new NodeDeletion(loop, clock, stores, slot, id, fine -> {
            inHand.remove(id);
            deletions.remove(id);
            if (fine) {
                backOff.forget(id);
                events.on(new Event.NodeGone(id, slot.name()));
            } else {
                loop.in(backOff.failed(id, clock.instant()).plusMillis(1), loop::wake);
            }
        });
        deletions.put(id, deletion);
        deletion.start();
    }

    /** A requestor locks a node before it removes the request, so an unlocked one is nobody's. */
    private void takeBack(String id) {
        loop.after(stores.nodes().tryLock(id), (found, failure) -> {
            Optional<LockedNode> locked = Outcome.value(found);
            Optional<String> request =
                    locked.flatMap(node -> node.node().allocation().allocatedTo());
            if (locked.isEmpty()) {
                inHand.remove(id);
                loop.wake();
            } else if (request.isEmpty() || locked.get().node().state() != NodeState.READY) {
                done(id, stores.nodes().unlock(locked.get().lock()));
            } else {
                loop.after(stores.requests().read(request.get()), (still, failed) -> {
                    boolean gone = failed == null && Outcome.value(still).isEmpty();
                    done(
                            id,
                            gone
                                    ? free(locked.get())
                                    : stores.nodes().unlock(locked.get().lock()));
                });
            }
        });
    }

    private CompletionStage<?> free(LockedNode node) {
        log.debug("Deallocated node {}: its request is gone", node.node().id());
        return stores.nodes().finish(node.with(node.node().withAllocation(Node.Allocation.NONE)));
    }

    private void done(String id, CompletionStage<?> end) {
        loop.after(end, (value, failure) -> {
            inHand.remove(id);
            loop.wake(); // Whatever happened to the node meanwhile was not looked at.
        });
    }
}
