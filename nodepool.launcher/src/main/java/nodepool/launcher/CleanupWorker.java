package nodepool.launcher;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import nodepool.api.config.Configuration;
import nodepool.api.config.Label;
import nodepool.api.node.Node;
import nodepool.api.node.NodeState;
import nodepool.api.request.NodeRequest;
import nodepool.api.request.RequestState;
import nodepool.api.store.LockedNode;
import nodepool.api.store.LockedRequest;
import nodepool.api.store.Snapshot;
import nodepool.api.store.SnapshotSource.Subscription;
import nodepool.api.store.Stores;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Sweeps now and then: what crashed launchers left behind, what grew too old, what carries our mark and no record. */
final class CleanupWorker {

    private static final Duration PERIOD = Duration.ofSeconds(60);
    private static final Duration OLD_LOCK = Duration.ofHours(8);
    private static final Duration ACCOUNTS_KEPT = Duration.ofHours(1);
    private static final Duration OLD_INIT = Duration.ofMinutes(10);
    private static final Logger log = LoggerFactory.getLogger("nodepool.CleanupWorker");

    private final Loop loop =
            new Loop("CleanupWorker", this::pass, bug -> log.error("Exception in CleanupWorker", bug));
    private final Clock clock;
    private final Stores stores;
    private final Supplier<Optional<Configuration>> configuration;
    private final Supplier<Collection<ProviderSlot>> slots;
    private final Subscription subscription;
    private final Set<String> inHand = new HashSet<>();
    private Set<String> leftToHeirs = Set.of();
    private final Map<String, Instant> absentSince = new HashMap<>();
    private Instant nextSweep = Instant.MIN;

    CleanupWorker(
            Clock clock,
            Stores stores,
            Supplier<Optional<Configuration>> configuration,
            Supplier<Collection<ProviderSlot>> slots) {
        this.clock = clock;
        this.stores = stores;
        this.configuration = configuration;
        this.slots = slots;
        this.subscription = stores.snapshots().onChange(loop::wake);
        loop.wakeEvery(PERIOD);
        loop.wake();
    }

    void close() {
        subscription.close();
        loop.close();
    }

    /** Requests without a launcher are looked for at every change, the rest now and then. */
    private void pass() {
        Optional<Snapshot> now = stores.snapshots().current();
        Optional<Configuration> config = configuration.get();
        if (now.isEmpty() || config.isEmpty()) {
            return;
        }
        boolean due = !nextSweep.isAfter(clock.instant());
        lostRequests(now.get(), new Heirs(now.get(), config.get()), due);
        if (due) {
            nextSweep = clock.instant().plus(PERIOD.minusSeconds(1));
            tooOld(now.get());
            orphans(now.get());
            oldLocks(now.get());
            leaks(now.get());
            oldAccounts(Registry.poolIds(now.get()));
        }
    }

    /**
     * A pending request of which nobody holds the lock has lost its launcher. If there is an heir to its nodes that one goes
     * on with it, and gets a whole period to do so.
     */
    private void lostRequests(Snapshot snapshot, Heirs heirs, boolean due) {
        Set<String> left = new HashSet<>();
        for (NodeRequest request : snapshot.requests()) {
            String id = request.id();
            if (request.state() != RequestState.PENDING || snapshot.isRequestLocked(id) || inHand.contains(id)) {
                continue;
            }
            boolean wait = heirs.existFor(request);
            if (wait && !(due && leftToHeirs.contains(id))) {
                left.add(id);
            } else {
                inHand.add(id);
                loop.after(stores.requests().tryLock(id), (found, failure) -> {
                    inHand.remove(id);
                    Outcome.value(found).ifPresent(locked -> reset(locked, snapshot));
                });
            }
        }
        if (due) {
            leftToHeirs = left;
        }
    }

    private void reset(LockedRequest locked, Snapshot snapshot) {
        if (locked.request().state() != RequestState.PENDING) {
            begin(stores.requests().unlock(locked.lock()));
            return;
        }
        List<String> nodes = new ArrayList<>();
        snapshot.nodesAllocatedTo(locked.request().id()).forEach(node -> nodes.add(node.id()));
        letGo(locked, nodes);
    }

    /** One node after the other, so that a node locked by someone else leaves the request for the next sweep. */
    private void letGo(LockedRequest request, List<String> nodes) {
        if (nodes.isEmpty()) {
            log.info("Reset lost request {}", request.request().id());
            begin(stores.requests()
                    .finish(
                            request.with(request.request()
                                    .withNodes(List.of())
                                    .withState(RequestState.REQUESTED, clock.instant())),
                            List.of()));
            return;
        }
        String id = nodes.get(0);
        List<String> rest = nodes.subList(1, nodes.size());
        loop.after(stores.nodes().tryLock(id), (found, failure) -> {
            Optional<LockedNode> locked = Outcome.value(found);
            if (failure != null) {
                begin(stores.requests().unlock(request.lock()));
            } else if (locked.isEmpty()) {
                letGo(request, rest);
            } else {
                Node node = locked.get().node();
                Node free = node.withAllocation(Node.Allocation.NONE);
                if (node.state() == NodeState.INIT) {
                    free = free.withState(NodeState.DELETING, clock.instant());
                }
                loop.after(stores.nodes().finish(locked.get().with(free)), (done, failed) -> letGo(request, rest));
            }
        });
    }

    private void tooOld(Snapshot snapshot) {
        Optional<Configuration> config = configuration.get();
        if (config.isEmpty()) {
            return;
        }
        Set<String> ours = new HashSet<>();
        slots.get().forEach(slot -> ours.add(slot.name()));
        for (Node node : snapshot.nodes()) {
            if (node.place().provider().filter(ours::contains).isPresent() && isTooOld(node, config.get())) {
                delete(node.id(), node.state());
            }
        }
    }

    private boolean isTooOld(Node node, Configuration config) {
        Duration age = Duration.between(node.stateTime(), clock.instant());
        if (node.state() == NodeState.READY && !node.isAllocated()) {
            return node.types().stream()
                    .flatMap(type -> Optional.ofNullable(config.labels().get(type)).stream())
                    .map(Label::maxReadyAge)
                    .anyMatch(limit -> !limit.isZero() && !limit.isNegative() && age.compareTo(limit) >= 0);
        }
        if (node.state() == NodeState.HOLD) {
            long own = node.use().holdExpiration().orElse(0);
            long general = config.maxHoldAge().toSeconds();
            long limit = own > 0 && general > 0 ? Math.min(own, general) : Math.max(own, general);
            return limit > 0 && age.toSeconds() >= limit;
        }
        return false;
    }

    private void delete(String id, NodeState expected) {
        loop.after(
                stores.nodes().tryLock(id),
                (found, failure) -> Outcome.value(found).ifPresent(locked -> {
                    Node node = locked.node();
                    boolean still = node.state() == expected && (expected != NodeState.READY || !node.isAllocated());
                    if (still) {
                        log.info("Node {} exceeds its age in state {}", id, expected.wireName());
                    }
                    begin(
                            still
                                    ? stores.nodes()
                                            .finish(locked.with(node.withState(NodeState.DELETING, clock.instant())))
                                    : stores.nodes().unlock(locked.lock()));
                }));
    }

    private static void begin(CompletionStage<?> call) {
        Loop.begin(call, log);
    }

    /** Nodes whose launcher died before it could lock them, and records without data. */
    private void orphans(Snapshot snapshot) {
        for (Node node : snapshot.nodes()) {
            boolean orphan = node.state() == NodeState.INIT
                    && node.stateTime().plus(OLD_INIT).isBefore(clock.instant())
                    && node.allocation()
                            .allocatedTo()
                            .flatMap(snapshot::request)
                            .isEmpty();
            if (orphan) {
                delete(node.id(), NodeState.INIT);
            }
        }
        for (Snapshot.Malformed entry : snapshot.malformed()) {
            if (entry.empty() && entry.kind().equals("node")) {
                begin(stores.nodes().removeEmpty(entry.id()));
            }
        }
    }

    private void oldLocks(Snapshot snapshot) {
        loop.after(stores.requests().lockDirectories(), (found, failure) -> {
            if (found != null) {
                Instant before = clock.instant().minus(OLD_LOCK);
                found.stream()
                        .filter(lock -> snapshot.request(lock.id()).isEmpty()
                                && lock.untouchedSince().isBefore(before))
                        .forEach(lock -> begin(stores.requests().sweep(lock.id())));
            }
        });
    }

    /** What launchers that are gone had to say is kept for a while, because it tells of failures too. */
    private void oldAccounts(Set<String> present) {
        loop.after(stores.accounts().launchers(), (found, failure) -> {
            if (found == null) {
                return;
            }
            Instant now = clock.instant();
            absentSince.keySet().retainAll(found);
            absentSince.keySet().removeAll(present);
            for (String launcher : found) {
                if (!present.contains(launcher)
                        && absentSince
                                .computeIfAbsent(launcher, first -> now)
                                .plus(ACCOUNTS_KEPT)
                                .isBefore(now)) {
                    begin(stores.accounts().removeAll(launcher));
                }
            }
        });
    }

    private void leaks(Snapshot snapshot) {
        for (ProviderSlot slot : slots.get()) {
            slot.current()
                    .ifPresent(generation -> loop.after(
                            generation.call(() -> {
                                generation.provider().cleanupLeakedResources(snapshot);
                                return slot.name();
                            }),
                            (done, failure) -> {
                                if (failure != null) {
                                    log.warn(
                                            "Could not clean up provider {}: {}",
                                            slot.name(),
                                            Outcome.cause(failure).toString());
                                }
                            }));
        }
    }
}
