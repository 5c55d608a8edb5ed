package nodepool.driver.metastatic;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import nodepool.api.node.Node;
import nodepool.api.node.NodeState;
import nodepool.testkit.MemorySnapshots;
import org.junit.jupiter.api.Test;

/** What the records say, without a store. */
class SlotTableOfRecordsTest {

    private static final Instant NOW = Instant.ofEpochSecond(1_726_600_000);
    private static final MetastaticConfig CONFIG =
            new MetastaticConfig("slicer", -1, 3, Duration.ofMinutes(15), Duration.ofMinutes(2), List.of());
    private static final String OWNER = CONFIG.owner();

    private final MemorySnapshots records = new MemorySnapshots();

    @Test
    void slots_are_known_from_the_nodes_alone_as_the_original_leaves_them() {
        records.put(backing("0000000001", OWNER, NodeState.IN_USE, Map.of()));
        records.put(slot("0000000002", "0000000001", 1, NodeState.READY));

        assertEquals(new TreeMap<>(Map.of(1, "0000000002")), only().occupied());
    }

    @Test
    void a_node_that_is_being_made_counts_only_where_the_backing_node_names_it() {
        records.put(backing("0000000001", OWNER, NodeState.IN_USE, Map.of(0, "0000000003")));
        records.put(slot("0000000002", "0000000001", 1, NodeState.BUILDING));

        assertEquals(new TreeMap<>(Map.of(0, "0000000003")), only().occupied());
    }

    @Test
    void a_slot_stays_taken_though_its_node_is_not_seen_yet() {
        records.put(backing("0000000001", OWNER, NodeState.IN_USE, Map.of(0, "0000000009", 1, "0000000002")));
        records.put(slot("0000000002", "0000000001", 1, NodeState.READY));

        assertEquals(0, only().free(Optional.empty(), NOW));
    }

    @Test
    void what_is_not_ours_is_no_backing_node() {
        records.put(backing("0000000001", "NodePool:metastatic:other", NodeState.IN_USE, Map.of()));
        records.put(backing("0000000002", OWNER, NodeState.USED, Map.of()));
        records.put(backing("0000000003", OWNER, NodeState.IN_USE, Map.of()));

        assertEquals(
                List.of(),
                SlotTable.of(CONFIG, records.now(), id -> !id.equals("0000000003"))
                        .backing());
    }

    private BackingNode only() {
        List<BackingNode> all = SlotTable.of(CONFIG, records.now(), id -> true).backing();
        assertEquals(1, all.size());
        return all.get(0);
    }

    private static Node backing(String id, String owner, NodeState state, Map<Integer, String> taken) {
        BackingUse use = new BackingUse(owner, "small", 2, false, NOW, Optional.empty(), new TreeMap<>(taken));
        return use.on(Node.draft(state, List.of("big"), Node.Place.in("aurora", "main"), Node.Machine.NONE, NOW)
                .withId(id));
    }

    private static Node slot(String id, String backing, int slot, NodeState state) {
        Node.Machine machine = Node.Machine.NONE.withDriverData(new SlotNote(backing, slot, id).json(Map.of()));
        return Node.draft(state, List.of("small"), Node.Place.in("slicer", "slices"), machine, NOW)
                .withId(id);
    }
}
