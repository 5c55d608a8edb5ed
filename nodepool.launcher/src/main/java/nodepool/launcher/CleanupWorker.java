package nodepool.launcher;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.function.Supplier;
import nodepool.api.config.Configuration;
import nodepool.api.node.Node;
import nodepool.api.node.NodeState;
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
    private static final Logger log = LoggerFactory.getLogger("nodepool.CleanupWorker");

    private final Loop loop =
            new Loop("CleanupWorker", this::pass, bug -> log.error("Exception in CleanupWorker", bug));
    private final Clock clock;
    private final Stores stores;
    private final Supplier<Optional<Configuration>> configuration;
    private final Supplier<Collection<ProviderSlot>> slots;
    private final Subscription subscription;
    private final LostRequests lost;
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
        this.lost = new LostRequests(loop, clock, stores, log);
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
        lost.look(now.get(), new Heirs(now.get(), config.get()), due);
        if (due) {
            nextSweep = clock.instant().plus(PERIOD.minusSeconds(1));
            NodeAges ages = new NodeAges(config.get(), clock.instant());
            tooOld(now.get(), ages);
            orphans(now.get(), ages);
            oldLocks(now.get());
            leaks(now.get());
            oldAccounts(Registry.poolIds(now.get()));
        }
    }

    private void tooOld(Snapshot snapshot, NodeAges ages) {
        for (ProviderSlot slot : slots.get()) {
            for (Node node : snapshot.nodesOf(slot.name())) {
                ages.excess(node).ifPresent(why -> delete(node.id(), ages::excess));
            }
        }
    }

    /** Gives a node to the deleted-node worker, if there is still a reason to once it is locked. */
    private void delete(String id, Function<Node, Optional<String>> reason) {
        loop.after(
                stores.nodes().tryLock(id),
                (found, failure) -> Outcome.value(found).ifPresent(locked -> {
                    Node node = locked.node();
                    Optional<String> why = reason.apply(node);
                    why.ifPresent(text -> log.info("Deleting node {}: {}", id, text));
                    begin(
                            why.isPresent()
                                    ? stores.nodes()
                                            .finish(locked.with(node.withState(NodeState.DELETING, clock.instant())))
                                    : stores.nodes().unlock(locked.lock()));
                }));
    }

    private static void begin(CompletionStage<?> call) {
        Loop.begin(call, log);
    }

    /** Nodes whose launcher died before it could lock them, and records without data. */
    private void orphans(Snapshot snapshot, NodeAges ages) {
        for (Node node : snapshot.nodes()) {
            boolean served =
                    node.allocation().allocatedTo().flatMap(snapshot::request).isPresent();
            if (!served && ages.orphaned(node).isPresent()) {
                delete(node.id(), ages::orphaned);
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
