package nodepool.launcher;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;
import nodepool.api.driver.CloudException;
import nodepool.api.driver.ProviderNotifications;
import nodepool.api.driver.Step;
import nodepool.api.node.NodeState;
import nodepool.api.store.LockedNode;
import nodepool.api.store.NodeMemo;
import nodepool.api.store.Stores;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Removes one node that nobody uses any more: its machine step by step, then its record. Confined to one loop. */
final class NodeDeletion {

    private static final Duration LIMIT = Duration.ofMinutes(10);
    private static final Duration WAIT = Duration.ofSeconds(1);
    private static final Logger log = LoggerFactory.getLogger("nodepool.NodeDeleter");

    private final Loop loop;
    private final Clock clock;
    private final Stores stores;
    private final ProviderSlot slot;
    private final String id;
    private final Consumer<Boolean> ended;
    private final Instant began;
    private Optional<LockedNode> locked = Optional.empty();
    private NodeMemo memo;
    private boolean waitsForProvider;

    /**
     * @param ended told true when the node is gone or turned out to be none of ours, false if it must be tried again
     */
    NodeDeletion(Loop loop, Clock clock, Stores stores, ProviderSlot slot, String id, Consumer<Boolean> ended) {
        this.loop = loop;
        this.clock = clock;
        this.stores = stores;
        this.slot = slot;
        this.id = id;
        this.ended = ended;
        this.began = clock.instant();
        this.memo = new NodeMemo(NodeMemo.Phase.DELETE, 1, began, Optional.empty(), Map.of());
    }

    /** Goes on if it waits for the provider to be in service. */
    void wake() {
        if (waitsForProvider) {
            waitsForProvider = false;
            step();
        }
    }

    void start() {
        loop.after(stores.nodes().tryLock(id), (found, failure) -> {
            Optional<LockedNode> node = Outcome.value(found);
            if (node.isEmpty()) {
                ended.accept(failure == null);
            } else if (!node.get().node().state().isGarbageWhenUnlocked()) {
                letGo(node.get(), true);
            } else {
                mark(node.get());
            }
        });
    }

    private void mark(LockedNode node) {
        log.info(
                "Deleting {} instance {} of node {} from {}",
                node.node().state().wireName(),
                node.node().machine().externalId().orElse("(none)"),
                id,
                slot.name());
        locked = Optional.of(node);
        memo = new NodeMemo(
                NodeMemo.Phase.DELETE, 1, began, node.node().machine().externalId(), Map.of());
        if (node.node().state() == NodeState.DELETING) {
            resume();
            return;
        }
        LockedNode deleting = node.with(node.node().withState(NodeState.DELETING, clock.instant()));
        loop.after(stores.nodes().write(deleting, memo), (written, failure) -> {
            Optional<LockedNode> stored = Outcome.value(written);
            if (stored.isEmpty()) {
                ended.accept(failure == null);
            } else {
                locked = stored;
                step();
            }
        });
    }

    /** Goes on where an earlier try, or another process, has stopped. */
    private void resume() {
        loop.after(stores.nodes().recall(id), (found, failure) -> {
            Outcome.value(found)
                    .filter(known -> known.phase() == NodeMemo.Phase.DELETE)
                    .ifPresent(known -> memo = known);
            step();
        });
    }

    private void step() {
        LockedNode node = locked.orElseThrow();
        if (!node.lock().isHeld()) {
            ended.accept(false);
            return;
        }
        if (slot.isRemoved()) {
            letGo(node, false);
            return;
        }
        Optional<RunningProvider> generation = slot.current();
        if (generation.isEmpty()) {
            waitsForProvider = true;
            return;
        }
        if (Duration.between(began, clock.instant()).compareTo(LIMIT) > 0) {
            log.warn("Timeout waiting for the deletion of node {}", id);
            letGo(node, false);
            return;
        }
        RunningProvider provider = generation.get();
        Map<String, String> steps = memo.steps();
        loop.after(provider.call(() -> provider.provider().cleanupNode(node.node(), steps)), (step, failure) -> {
            if (failure != null) {
                failed(node, Outcome.asCloud(failure));
            } else if (Objects.requireNonNull(step, "step") instanceof Step.Again again) {
                remember(again);
            } else {
                remove(node);
            }
        });
    }

    private void remember(Step.Again again) {
        NodeMemo next = memo.after(again.memo(), memo.externalId());
        if (next.equals(memo)) {
            loop.in(again.notBefore(), this::step);
            return;
        }
        memo = next;
        Instant due = clock.instant().plus(again.notBefore());
        loop.after(
                stores.nodes().remember(locked.orElseThrow(), next),
                (done, failure) -> loop.in(Duration.between(clock.instant(), due), this::step));
    }

    private void failed(LockedNode node, CloudException fault) {
        switch (fault.fault()) {
            case NOT_FOUND -> remove(node);
            case RATE_LIMIT -> loop.in(fault.retryAfter().orElse(WAIT), this::step);
            default -> {
                log.warn("Deletion of node {} failed: {}", id, fault.getMessage());
                letGo(node, false);
            }
        }
    }

    private void remove(LockedNode node) {
        loop.after(stores.nodes().remove(node), (done, failure) -> {
            if (failure != null) {
                ended.accept(false);
                return;
            }
            log.info("Deleted node {}", id);
            slot.current()
                    .flatMap(generation -> generation.provider().notifications())
                    .ifPresent((ProviderNotifications told) -> told.nodeDeletedNotification(node.node()));
            ended.accept(true);
        });
    }

    private void letGo(LockedNode node, boolean fine) {
        loop.after(stores.nodes().unlock(node.lock()), (done, failure) -> ended.accept(fine));
    }
}
