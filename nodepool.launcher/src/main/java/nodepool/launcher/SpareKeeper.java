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
import nodepool.api.node.Node;
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
        Map<String, Integer> wanted = new HashMap<>();
        for (NodeRequest request : snapshot.requests()) {
            if (request.isMinReady() && request.wanted().nodeTypes().size() == 1) {
                if (!request.state().isFinal()) {
                    wanted.merge(request.wanted().nodeTypes().get(0), 1, Integer::sum);
                } else {
                    end(request);
                }
            }
        }
        ending.removeIf(id -> snapshot.request(id).isEmpty());
        unseen.entrySet().removeIf(made -> {
            boolean seen = snapshot.request(made.getKey()).isPresent();
            if (seen) {
                fewer(made.getValue());
            }
            return seen;
        });
        Map<String, Integer> stock = stock(snapshot);
        for (Label label : labels) {
            if (label.minReady() > 0 && isOurJob(label.name(), snapshot, ours) && isDue(label.name())) {
                int need = label.minReady()
                        - stock.getOrDefault(label.name(), 0)
                        - wanted.getOrDefault(label.name(), 0)
                        - beingMade.getOrDefault(label.name(), 0);
                boolean othersCould = pools(label.name(), snapshot).anyMatch(pool -> !ours.contains(pool.id()));
                make(label.name(), othersCould ? need : Math.min(need, room.forLabel(label.name())));
            }
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

    /** How many nodes of each label are in stock, or will be without a request that still stands for them. */
    private static Map<String, Integer> stock(Snapshot snapshot) {
        Map<String, Integer> stock = new HashMap<>();
        for (Node node : snapshot.nodes()) {
            if (isStock(node, snapshot)) {
                node.types().forEach(label -> stock.merge(label, 1, Integer::sum));
            }
        }
        return stock;
    }

    private static boolean isStock(Node node, Snapshot snapshot) {
        Optional<NodeRequest> request = node.allocation().allocatedTo().flatMap(snapshot::request);
        return switch (node.state()) {
            // A node made for stock counts from when it is ready, though its request is not yet ended.
            case READY ->
                !node.isAllocated() || request.map(NodeRequest::isMinReady).orElse(true);
            // The launcher that asked for it is gone and its request with it, the one that makes it is not.
            case INIT, BUILDING ->
                node.isAllocated()
                        && request.isEmpty()
                        && node.allocation()
                                .requestor()
                                .filter(NodeRequest.MIN_READY::equals)
                                .isPresent();
            default -> false;
        };
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
        loop.after(stores.requests().delete(request.id()), (done, failure) -> {
            if (failure != null) {
                ending.remove(request.id());
            }
        });
    }
}
