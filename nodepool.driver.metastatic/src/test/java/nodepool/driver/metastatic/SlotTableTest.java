package nodepool.driver.metastatic;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class SlotTableTest {

    private static final Instant NOW = Instant.ofEpochSecond(1_726_600_000);
    private static final Optional<Duration> ANY_AGE = Optional.empty();

    @Test
    void the_lowest_free_slot_is_given_out() {
        BackingNode node = node("1", 4, Map.of(0, "a", 2, "c"));

        assertEquals(
                new TreeMap<>(Map.of(0, "a", 1, "b", 2, "c")),
                node.seat("b", ANY_AGE, NOW).orElseThrow().taken());
    }

    @Test
    void a_full_one_gives_out_nothing() {
        BackingNode node = node("1", 2, Map.of(0, "a", 1, "b"));

        assertEquals(0, node.free(ANY_AGE, NOW));
        assertTrue(node.seat("c", ANY_AGE, NOW).isEmpty());
    }

    @Test
    void a_failed_one_keeps_its_nodes_and_takes_no_more() {
        BackingNode node = node("1", 4, Map.of(1, "a"));
        BackingNode failed = new BackingNode("1", node.use().withFailed(), node.occupied());

        assertEquals(OptionalInt.of(1), failed.slotOf("a"));
        assertEquals(0, failed.free(ANY_AGE, NOW));
        assertTrue(failed.seat("b", ANY_AGE, NOW).isEmpty());
    }

    @Test
    void one_that_is_too_old_takes_no_more_nodes() {
        BackingNode node = node("1", 4, Map.of());

        assertEquals(4, node.free(Optional.of(Duration.ofMinutes(5)), NOW.plus(Duration.ofMinutes(5))));
        assertEquals(0, node.free(Optional.of(Duration.ofMinutes(5)), NOW.plusSeconds(301)));
    }

    @Test
    void slots_beyond_the_number_of_slots_do_not_count_against_it() {
        assertEquals(1, node("1", 2, Map.of(0, "a", 5, "b")).free(ANY_AGE, NOW));
    }

    @Test
    void open_ones_of_the_label_come_oldest_first() {
        SlotTable table = new SlotTable(
                List.of(node("3", 1, Map.of()), node("1", 1, Map.of(0, "a")), node("2", 1, Map.of()), other("0")));

        assertEquals(
                List.of("2", "3"),
                table.open("small", ANY_AGE, NOW).stream().map(BackingNode::id).toList());
    }

    @Test
    void a_node_has_no_seat_on_a_failed_one_but_is_still_named_by_it() {
        BackingNode node = node("1", 2, Map.of(0, "a"));
        SlotTable table = new SlotTable(
                List.of(new BackingNode("1", node.use().withFailed(), node.occupied()), node("2", 2, Map.of(1, "b"))));

        assertTrue(table.seatOf("a").isEmpty());
        assertEquals("1", table.naming("a").get(0).id());
        assertEquals("2", table.seatOf("b").orElseThrow().id());
    }

    @Test
    void giving_back_frees_the_slot_and_says_when() {
        BackingNode node = node("1", 2, Map.of(0, "a", 1, "b"));
        BackingUse after = node.use().without("a", NOW.plusSeconds(9));

        assertEquals(new TreeMap<>(Map.of(1, "b")), after.taken());
        assertEquals(Optional.of(NOW.plusSeconds(9)), after.lastUsed());
        assertFalse(after.failed());
    }

    private static BackingNode node(String id, int slots, Map<Integer, String> taken) {
        BackingUse use = new BackingUse("owner", "small", slots, false, NOW, Optional.empty(), new TreeMap<>(taken));
        return new BackingNode(id, use, new TreeMap<>(taken));
    }

    private static BackingNode other(String id) {
        BackingUse use = new BackingUse("owner", "large", 4, false, NOW, Optional.empty(), new TreeMap<>());
        return new BackingNode(id, use, new TreeMap<>());
    }
}
