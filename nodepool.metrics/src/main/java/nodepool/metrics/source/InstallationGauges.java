package nodepool.metrics.source;

import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import nodepool.api.node.Node;
import nodepool.api.node.NodeState;
import nodepool.api.registry.Registration;
import nodepool.api.request.NodeRequest;
import nodepool.api.request.RequestState;
import nodepool.api.store.Snapshot;
import nodepool.metrics.Catalogue;
import nodepool.metrics.Metric;

/** Counts nodes and requests of the whole installation. A function of the snapshot and the time. */
final class InstallationGauges {

    private final Snapshot snapshot;
    private final Instant now;
    private final List<Registration.Pool> pools;

    InstallationGauges(Snapshot snapshot, Instant now) {
        this.snapshot = snapshot;
        this.now = now;
        this.pools = snapshot.components().stream()
                .flatMap(component -> component.pool().stream())
                .toList();
    }

    /** Every value of every such metric. */
    Map<Metric, Map<Map<String, String>, Double>> all() {
        Map<Metric, Map<Map<String, String>, Double>> all = new HashMap<>();
        all.put(Catalogue.NODES, nodes());
        all.put(Catalogue.PROVIDER_NODES, providerNodes());
        all.put(Catalogue.LABEL_NODES, labelNodes());
        all.put(Catalogue.ADDRESSABLE_REQUESTS, addressable());
        all.put(Catalogue.OLDEST_REQUEST, oldestByLabel());
        all.put(Catalogue.OLDEST_POOL_REQUEST, oldestByPool());
        return all;
    }

    private Map<Map<String, String>, Double> nodes() {
        Map<Map<String, String>, Double> counts = new HashMap<>();
        for (NodeState state : NodeState.values()) {
            counts.put(Map.of("state", state.wireName()), 0.0);
        }
        snapshot.nodes().forEach(node -> add(counts, Map.of("state", state(node))));
        return counts;
    }

    private Map<Map<String, String>, Double> providerNodes() {
        Map<Map<String, String>, Double> counts = new HashMap<>();
        pools.forEach(pool -> zero(counts, "provider", pool.provider()));
        snapshot.nodes()
                .forEach(node -> node.place()
                        .provider()
                        .ifPresent(provider -> add(counts, Map.of("provider", provider, "state", state(node)))));
        return counts;
    }

    private Map<Map<String, String>, Double> labelNodes() {
        Map<Map<String, String>, Double> counts = new HashMap<>();
        pools.forEach(pool -> pool.supportedLabels().forEach(label -> zero(counts, "label", label)));
        snapshot.nodes()
                .forEach(node ->
                        node.types().forEach(label -> add(counts, Map.of("label", label, "state", state(node)))));
        return counts;
    }

    private static void zero(Map<Map<String, String>, Double> counts, String field, String value) {
        for (NodeState state : NodeState.values()) {
            counts.putIfAbsent(Map.of(field, value, "state", state.wireName()), 0.0);
        }
    }

    private static void add(Map<Map<String, String>, Double> counts, Map<String, String> key) {
        counts.merge(key, 1.0, Double::sum);
    }

    private static String state(Node node) {
        return node.state().wireName();
    }

    private Map<Map<String, String>, Double> addressable() {
        Map<Map<String, String>, Double> counts = new HashMap<>();
        for (Registration.Pool pool : pools) {
            key(pool)
                    .ifPresent(key -> counts.put(key, (double) snapshot.requests().stream()
                            .filter(request -> serves(pool, request))
                            .count()));
        }
        return counts;
    }

    /** Old launchers do not name their pools, which then are left out. */
    private static Optional<Map<String, String>> key(Registration.Pool pool) {
        return pool.name().map(name -> Map.of("provider", pool.provider(), "pool", name));
    }

    private static boolean serves(Registration.Pool pool, NodeRequest request) {
        return pool.supportedLabels().containsAll(request.wanted().nodeTypes());
    }

    private Map<Map<String, String>, Double> oldestByLabel() {
        Map<Map<String, String>, Double> ages = new HashMap<>();
        pools.forEach(pool -> pool.supportedLabels().forEach(label -> ages.putIfAbsent(Map.of("label", label), 0.0)));
        waiting()
                .forEach(request -> request.wanted()
                        .nodeTypes()
                        .forEach(label -> ages.merge(Map.of("label", label), age(request), Math::max)));
        return ages;
    }

    private Map<Map<String, String>, Double> oldestByPool() {
        Map<Map<String, String>, Double> ages = new HashMap<>();
        List<NodeRequest> waiting = waiting();
        for (Registration.Pool pool : pools) {
            double oldest = waiting.stream()
                    .filter(request -> serves(pool, request))
                    .mapToDouble(this::age)
                    .max()
                    .orElse(0);
            key(pool).ifPresent(key -> ages.put(key, oldest));
        }
        return ages;
    }

    private List<NodeRequest> waiting() {
        return snapshot.requests().stream()
                .filter(request -> request.state() == RequestState.REQUESTED || request.state() == RequestState.PENDING)
                .toList();
    }

    private double age(NodeRequest request) {
        Instant since = request.stored().created().orElse(request.stateTime());
        return Math.max(0, Duration.between(since, now).toMillis() / 1000.0);
    }
}
