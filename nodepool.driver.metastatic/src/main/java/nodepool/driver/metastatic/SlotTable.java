package nodepool.driver.metastatic;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Predicate;
import nodepool.api.node.Node;
import nodepool.api.node.NodeState;
import nodepool.api.store.Snapshot;

/**
 * Which node sits in which slot of which backing node: a pure function of the records. Immutable.
 *
 * @param backing our backing nodes by id
 */
record SlotTable(List<BackingNode> backing) {

    SlotTable {
        backing = backing.stream().sorted(Comparator.comparing(BackingNode::id)).toList();
    }

    /** Whether that record says that it is one of our backing nodes. Anybody can write that: see {@link OwnLocks}. */
    static boolean claimsToBeOurs(MetastaticConfig config, Node node) {
        return node.state() == NodeState.IN_USE
                && BackingUse.of(node, config.owner()).isPresent();
    }

    /** What the records say of the backing nodes that {@code locked} knows to be locked by us. */
    static SlotTable of(MetastaticConfig config, Snapshot snapshot, Predicate<String> locked) {
        Map<String, SortedMap<Integer, String>> named = named(config, snapshot);
        List<BackingNode> all = new ArrayList<>();
        for (Node node : snapshot.nodes()) {
            if (locked.test(node.id())) {
                backingNode(config, node, named).ifPresent(all::add);
            }
        }
        return new SlotTable(all);
    }

    /** What that record says, the other records being as in the snapshot; absent if it is none of our backing nodes. */
    static Optional<BackingNode> one(MetastaticConfig config, Node node, Snapshot snapshot) {
        return backingNode(config, node, named(config, snapshot));
    }

    private static Optional<BackingNode> backingNode(
            MetastaticConfig config, Node node, Map<String, SortedMap<Integer, String>> named) {
        if (!claimsToBeOurs(config, node)) {
            return Optional.empty();
        }
        return BackingUse.of(node, config.owner()).map(use -> {
            SortedMap<Integer, String> occupied = new TreeMap<>(named.getOrDefault(node.id(), new TreeMap<>()));
            occupied.putAll(use.taken());
            return new BackingNode(node.id(), use, occupied);
        });
    }

    /** Nodes by backing node and slot. One that is being made counts only where the backing node's record names it. */
    private static Map<String, SortedMap<Integer, String>> named(MetastaticConfig config, Snapshot snapshot) {
        Map<String, SortedMap<Integer, String>> named = new HashMap<>();
        for (Node node : snapshot.nodesOf(config.name())) {
            if (node.state() != NodeState.BUILDING) {
                SlotNote.of(node)
                        .ifPresent(data -> named.computeIfAbsent(data.backingNode(), none -> new TreeMap<>())
                                .put(data.slot(), node.id()));
            }
        }
        return named;
    }

    /** Whether that node is one of our backing nodes. */
    boolean contains(String id) {
        return backing.stream().anyMatch(each -> each.id().equals(id));
    }

    /** The backing node on which that node sits and may stay. */
    Optional<BackingNode> seatOf(String nodeId) {
        return backing.stream()
                .filter(each -> !each.use().failed() && each.slotOf(nodeId).isPresent())
                .findFirst();
    }

    /** Every backing node on which that node has a slot, failed ones included. */
    List<BackingNode> naming(String nodeId) {
        return backing.stream().filter(each -> each.slotOf(nodeId).isPresent()).toList();
    }

    /** The backing nodes of that label with a free slot, oldest first. */
    List<BackingNode> open(String label, Optional<Duration> maxAge, Instant now) {
        return backing.stream()
                .filter(each -> each.use().label().equals(label) && each.free(maxAge, now) > 0)
                .toList();
    }
}
