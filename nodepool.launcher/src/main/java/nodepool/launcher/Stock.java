package nodepool.launcher;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import nodepool.api.node.Node;
import nodepool.api.node.NodeState;
import nodepool.api.store.Snapshot;

/** The ready nodes of a pool that nobody has, at one moment; taking one removes it. Confined to one pass of a loop. */
final class Stock {

    private final List<Node> free;
    private final Map<String, Integer> existing;

    private Stock(List<Node> free, Map<String, Integer> existing) {
        this.free = free;
        this.existing = existing;
    }

    /**
     * @param taken ids of nodes already promised to somebody, though no snapshot shows it yet
     */
    static Stock of(Snapshot snapshot, String provider, String pool, Set<String> taken) {
        List<Node> free = new ArrayList<>();
        Map<String, Integer> existing = new HashMap<>();
        for (Node node : snapshot.nodesOf(provider)) {
            if (!node.isIn(provider, pool)) {
                continue;
            }
            node.types().forEach(label -> existing.merge(label, 1, Integer::sum));
            if (node.state() == NodeState.READY
                    && !node.isAllocated()
                    && !taken.contains(node.id())
                    && !snapshot.isLocked(node.id())) {
                free.add(node);
            }
        }
        return new Stock(free, existing);
    }

    /** Takes the first node with that label that passes. */
    Optional<Node> take(String label, Predicate<Node> passes) {
        for (Node node : free) {
            if (node.types().contains(label) && passes.test(node)) {
                free.remove(node);
                return Optional.of(node);
            }
        }
        return Optional.empty();
    }

    /** Whether the pool has enough nodes for those labels, free or not. */
    boolean couldServe(List<String> labels) {
        Map<String, Integer> wanted = new HashMap<>();
        labels.forEach(label -> wanted.merge(label, 1, Integer::sum));
        return wanted.entrySet().stream()
                .allMatch(entry -> existing.getOrDefault(entry.getKey(), 0) >= entry.getValue());
    }

    void giveBack(Collection<Node> nodes) {
        free.addAll(nodes);
    }

    /** The node that has been ready longest. */
    Optional<Node> oldest() {
        return free.stream().min(Comparator.comparing(Node::stateTime));
    }
}
