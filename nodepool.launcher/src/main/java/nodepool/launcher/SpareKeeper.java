package nodepool.launcher;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Supplier;
import java.util.stream.Stream;
import nodepool.api.config.Label;
import nodepool.api.json.JsonValue.JsonNull;
import nodepool.api.registry.Registration;
import nodepool.api.request.NodeRequest;
import nodepool.api.request.RequestState;
import nodepool.api.store.Snapshot;
import nodepool.api.store.Stores;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps the stock of ready nodes that labels with {@code min-ready} want, by requests of its own, one node each. Among
 * several launchers the one whose pool has the smallest id keeps the stock of a label. Confined to the launcher's loop.
 */
final class SpareKeeper {

    /** What can be launched at the moment. */
    interface Room {

        /** How many nodes of that label this process's pools have room for; 0 if they cannot launch it now. */
        int forLabel(String label);
    }

    private static final Duration AFTER_A_FAILURE = Duration.ofSeconds(10);
    private static final Logger log = LoggerFactory.getLogger("nodepool.MinReady");

    private final Loop loop;
    private final Clock clock;
    private final Stores stores;
    private final Supplier<UUID> random;
    private final Map<String, Integer> beingMade = new HashMap<>();
    private final Map<String, String> unseen = new HashMap<>();
    private final Set<String> mine = new HashSet<>();
    private final Set<String> ending = new HashSet<>();
    private final Map<String, Instant> notBefore = new HashMap<>();

    SpareKeeper(Loop loop, Clock clock, Stores stores, Supplier<UUID> random) {
        this.loop = loop;
        this.clock = clock;
        this.stores = stores;
        this.random = random;
    }

    /**
     * Makes the requests that are missing and ends those that were answered.
     *
     * @param ours launcher ids of this process's pools
     * @param room of this process's pools
     */
    void look(Snapshot snapshot, Iterable<Label> labels, Set<String> ours, Room room) {
        SpareCount count = SpareCount.of(snapshot);
        snapshot.requests().stream()
                .filter(request ->
                        SpareCount.isForOneSpare(request) && request.state().isFinal())
                .forEach(this::end);
        ending.removeIf(id -> snapshot.request(id).isEmpty());
        mine.removeIf(id -> snapshot.request(id).isEmpty() && !unseen.containsKey(id));
        unseen.entrySet().removeIf(made -> {
            boolean seen = snapshot.request(made.getKey()).isPresent();
            if (seen) {
                fewer(made.getValue());
            }
            return seen;
        });
        for (Label label : labels) {
            if (label.minReady() > 0 && isOurJob(label.name(), snapshot, ours) && isDue(label.name())) {
                int need = label.minReady()
                        - count.stock(label.name())
                        - count.requested(label.name())
                        - beingMade.getOrDefault(label.name(), 0);
                boolean othersCould = pools(label.name(), snapshot).anyMatch(pool -> !ours.contains(pool.id()));
                make(label.name(), othersCould ? need : Math.min(need, room.forLabel(label.name())));
            }
            withdraw(label, snapshot, count);
        }
    }

    /** Two launchers may both have thought it was their job: whose requests came later takes them back. */
    private void withdraw(Label label, Snapshot snapshot, SpareCount count) {
        for (String id : mine) {
            snapshot.request(id)
                    .filter(request -> request.state() == RequestState.REQUESTED
                            && request.wanted().nodeTypes().contains(label.name())
                            && count.isSurplus(request, label.minReady()))
                    .ifPresent(surplus -> {
                        if (ending.add(id)) {
                            log.info("Withdrawing request {}: there are enough {} nodes", id, label.name());
                            delete(id);
                        }
                    });
        }
    }

    /** Without a view of the shared state, and after a lost session, nothing that was being made counts any more. */
    void forget() {
        unseen.clear();
        beingMade.clear();
    }

    private void fewer(String label) {
        beingMade.computeIfPresent(label, (same, count) -> count > 1 ? count - 1 : null);
    }

    private static boolean isOurJob(String label, Snapshot snapshot, Set<String> ours) {
        return pools(label, snapshot)
                .map(Registration.Pool::id)
                .min(String::compareTo)
                .filter(ours::contains)
                .isPresent();
    }

    private static Stream<Registration.Pool> pools(String label, Snapshot snapshot) {
        return Registry.pools(snapshot).stream()
                .filter(pool -> pool.supportedLabels().contains(label));
    }

    private boolean isDue(String label) {
        return !notBefore.getOrDefault(label, Instant.MIN).isAfter(clock.instant());
    }

    private void make(String label, int need) {
        if (need <= 0) {
            return;
        }
        log.info("Creating requests for {} {} nodes", need, label);
        for (int i = 0; i < need; i++) {
            beingMade.merge(label, 1, Integer::sum);
            NodeRequest.Asker asker = new NodeRequest.Asker(
                    Optional.of(NodeRequest.MIN_READY),
                    JsonNull.NULL,
                    Optional.of(random.get().toString().replace("-", "")),
                    Optional.empty(),
                    Optional.empty());
            NodeRequest draft = NodeRequest.draft(
                    new NodeRequest.Wanted(List.of(label), false, Optional.empty(), 0), asker, clock.instant());
            loop.after(stores.requests().create(draft, "900", true), (made, failure) -> {
                if (made == null) {
                    fewer(label);
                } else {
                    unseen.put(made.id(), label);
                    mine.add(made.id());
                }
                loop.wake();
            });
        }
    }

    private void end(NodeRequest request) {
        if (!ending.add(request.id())) {
            return;
        }
        if (request.state() == RequestState.FAILED) {
            String label = request.wanted().nodeTypes().get(0);
            notBefore.put(label, clock.instant().plus(AFTER_A_FAILURE));
            loop.in(AFTER_A_FAILURE.plusMillis(1), loop::wake);
        }
        // Its nodes become stock because their request is gone: the deleted-node worker takes them back under their
        // lock.
        delete(request.id());
    }

    private void delete(String id) {
        loop.after(stores.requests().delete(id), (done, failure) -> {
            if (failure != null) {
                ending.remove(id);
            }
        });
    }
}
