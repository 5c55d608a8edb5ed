package nodepool.driver.metastatic;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import nodepool.api.request.NodeRequest;
import org.junit.jupiter.api.Test;

class DemandTest {

    private static final Instant NOW = Instant.ofEpochSecond(1_726_600_000);

    @Test
    void of_three_nodes_for_eight_slots_only_the_first_asks() {
        Demand demand = demand(8, 0, 3, 0);

        assertEquals(List.of("0"), asking(demand));
    }

    @Test
    void one_of_each_group_that_fits_a_backing_node_asks() {
        assertEquals(List.of("0", "4", "8"), asking(demand(4, 0, 9, 0)));
        assertEquals(List.of("4", "8"), asking(demand(4, 0, 9, 1)));
        assertEquals(List.of("3", "7"), asking(demand(4, 3, 9, 0)));
    }

    @Test
    void nodes_for_which_there_are_slots_do_not_ask() {
        assertEquals(List.of(), asking(demand(2, 1, 3, 1)));
        assertFalse(demand(2, 0, 3, 0).asks("unknown"));
    }

    @Test
    void each_node_waits_for_its_own_request() {
        Demand demand = demand(2, 1, 5, 2);

        assertEquals(Optional.empty(), demand.requestFor("0"));
        assertEquals("100-0", demand.requestFor("2").orElseThrow().id());
        assertEquals("100-1", demand.requestFor("3").orElseThrow().id());
        assertEquals("100-1", demand.requestFor("4").orElseThrow().id());
        assertEquals(Optional.empty(), demand.requestFor("unknown"));
    }

    @Test
    void requests_nobody_waits_for_are_not_needed() {
        assertEquals(List.of(), ids(demand(2, 0, 3, 2).unneeded()));
        assertEquals(List.of("100-1"), ids(demand(2, 0, 2, 2).unneeded()));
        assertEquals(List.of("100-0", "100-1"), ids(demand(2, 3, 2, 2).unneeded()));
        assertEquals(List.of("100-0"), ids(demand(2, 0, 0, 1).unneeded()));
    }

    private static List<String> asking(Demand demand) {
        return demand.waiting().stream().filter(demand::asks).toList();
    }

    private static List<String> ids(List<NodeRequest> requests) {
        return requests.stream().map(NodeRequest::id).toList();
    }

    private static Demand demand(int slots, int free, int waiting, int open) {
        return new Demand(
                slots,
                free,
                IntStream.range(0, waiting).mapToObj(Integer::toString).toList(),
                IntStream.range(0, open).mapToObj(DemandTest::request).toList());
    }

    private static NodeRequest request(int number) {
        return NodeRequest.draft(NodeRequest.Wanted.of(List.of("big")), NodeRequest.Asker.named("owner"), NOW)
                .withId("100-" + number);
    }
}
