package nodepool.driver.staticnode;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.Collectors;
import nodepool.api.json.JsonValue;
import nodepool.api.node.Node;
import nodepool.api.node.NodeState;
import org.junit.jupiter.api.Test;

class SlotTableTest {

    private static final StaticNode ONE = Hosts.host("one", 2);
    private static final StaticNode TWO = Hosts.host("two", 1);

    @Test
    void without_records_every_configured_slot_is_empty() {
        assertEquals("one:0 one:1 two:0", empty(table()));
    }

    @Test
    void a_record_takes_the_slot_it_names() {
        SlotTable table = table(record("0000000001", "one", 1));

        assertEquals("one:0 two:0", empty(table));
        assertEquals("0000000001=1", filled(table, ONE));
    }

    @Test
    void records_on_their_way_in_or_out_take_no_slot() {
        SlotTable table = table(
                record("0000000001", "one", 0).withState(NodeState.BUILDING, Instant.EPOCH),
                record("0000000002", "one", 1).withState(NodeState.DELETING, Instant.EPOCH));

        assertEquals("one:0 one:1 two:0", empty(table));
        assertTrue(table.excess().isEmpty());
    }

    @Test
    void records_in_any_other_state_take_their_slot_and_are_not_free() {
        for (NodeState state : List.of(NodeState.IN_USE, NodeState.USED, NodeState.HOLD, NodeState.FAILED)) {
            SlotTable table = table(record("0000000001", "two", 0).withState(state, Instant.EPOCH));

            assertEquals("one:0 one:1", empty(table));
            assertFalse(table.filled(TWO.identity()).get(0).isFree());
        }
    }

    @Test
    void a_record_without_a_slot_takes_the_first_free_one() {
        Node without = record("0000000001", "one", 0);
        without = without.withMachine(without.machine().withSlot(OptionalInt.empty()));

        assertEquals("0000000002=0 0000000001=1", filled(table(without, record("0000000002", "one", 0)), ONE));
    }

    @Test
    void a_slot_named_twice_belongs_to_the_older_record() {
        SlotTable table = table(record("0000000008", "one", 0), record("0000000003", "one", 0));

        assertEquals("0000000003=0 0000000008=1", filled(table, ONE));
    }

    @Test
    void more_records_than_slots_are_in_excess() {
        SlotTable table = table(record("0000000001", "two", 0), record("0000000002", "two", 0));

        assertEquals("0000000001=0", filled(table, TWO));
        assertEquals("0000000002=1", text(table.excess()));
    }

    @Test
    void a_slot_beyond_the_configured_number_is_used_to_fill_a_gap_before_it_is_in_excess() {
        assertEquals("0000000001=0", filled(table(record("0000000001", "two", 7)), TWO));
        assertEquals(
                "0000000002=1",
                text(table(record("0000000001", "two", 0), record("0000000002", "two", 1))
                        .excess()));
    }

    @Test
    void records_of_hosts_that_are_not_configured_are_in_excess() {
        SlotTable table = table(record("0000000001", "gone", 0), record("0000000002", "two", 0));

        assertEquals("0000000001=0", text(table.excess()));
    }

    @Test
    void the_same_host_at_another_port_or_for_another_user_is_another_host() {
        Node other = record("0000000001", "two", 0);
        Node.Connection how = other.connection();
        Node port = other.withConnection(new Node.Connection(
                JsonValue.of(2022), how.type(), how.username(), how.shellType(), how.pythonPath(), how.hostKeys()));
        Node user = other.withConnection(new Node.Connection(
                how.port(), how.type(), Optional.of("root"), how.shellType(), how.pythonPath(), how.hostKeys()));

        assertEquals("0000000001=0", text(table(port).excess()));
        assertEquals("0000000001=0", text(table(user).excess()));
    }

    @Test
    void a_port_written_as_text_is_the_same_port() {
        Node record = record("0000000001", "two", 0);
        Node.Connection how = record.connection();
        Node text = record.withConnection(new Node.Connection(
                JsonValue.of("22"), how.type(), how.username(), how.shellType(), how.pythonPath(), how.hostKeys()));

        assertEquals("0000000001=0", filled(table(text), TWO));
    }

    @Test
    void an_allocated_record_is_not_free() {
        Node record = record("0000000001", "two", 0)
                .withAllocation(new Node.Allocation(Optional.of("100-0000000001"), Optional.empty(), Optional.empty()));

        assertFalse(table(record).filled(TWO.identity()).get(0).isFree());
    }

    private static SlotTable table(Node... records) {
        return SlotTable.of(List.of(ONE, TWO), Arrays.asList(records));
    }

    private static Node record(String id, String host, int slot) {
        return SlotRecord.draft(
                        "cellar",
                        Hosts.pool("main"),
                        Hosts.host(host, 1),
                        slot,
                        new HostCheck.Found(List.of(), Optional.empty(), Optional.empty()),
                        Instant.EPOCH)
                .withId(id);
    }

    private static String empty(SlotTable table) {
        return List.of(ONE, TWO).stream()
                .flatMap(host -> table.empty(host.identity()).stream())
                .map(slot -> slot.identity().name() + ":" + slot.number())
                .collect(Collectors.joining(" "));
    }

    private static String filled(SlotTable table, StaticNode host) {
        return text(table.filled(host.identity()));
    }

    private static String text(List<SlotTable.Filled> records) {
        return records.stream()
                .map(record -> record.node().id() + "=" + record.slot().number())
                .collect(Collectors.joining(" "));
    }
}
