package nodepool.itest.fleet;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import nodepool.itest.fleet.Change.Kind;
import org.junit.jupiter.api.Test;

/** Each check passes a history that is as it should be, and names the one thing that is wrong in another. */
class FleetChecksTest {

    private static final long LAUNCHER = 1;
    private static final long OTHER = 2;
    private static final long CUSTOMER = 3;
    private static final Limits LIMITS = new Limits(Map.of("small", 1), Map.of("EAST", 1), Map.of("acme", 1));
    private static final String NODE = """
            {"state": "%s", "allocated_to": %s, "type": ["small"], "tenant_name": "%s"}""";

    private final List<Change> changes = new ArrayList<>();
    private final List<Machine> machines = new ArrayList<>();
    private final List<Told> told = new ArrayList<>();
    private final List<Kill> kills = new ArrayList<>();

    /** Milliseconds since 1970, and the number of the transaction. */
    private long now;

    @Test
    void a_node_of_one_request_after_the_other_may_be_given_twice() {
        request("R1");
        node("1", "ready", "\"R1\"");
        fulfil("R1", "1");
        delete("/nodepool/requests/R1");
        node("1", "ready", "null");
        request("R2");
        node("1", "ready", "\"R2\"");
        fulfil("R2", "1");
        assertEquals(List.of(), HandOverCheck.faults(history()));
    }

    @Test
    void a_node_of_two_requests_at_once_is_found() {
        request("R1");
        request("R2");
        node("1", "ready", "\"R1\"");
        fulfil("R1", "1");
        node("1", "ready", "\"R2\"");
        fulfil("R2", "1");
        assertEquals(List.of("node 1 was given to R2 while R1 had it"), HandOverCheck.faults(history()));
    }

    @Test
    void a_node_that_is_given_again_after_use_is_found() {
        request("R1");
        node("1", "ready", "\"R1\"");
        fulfil("R1", "1");
        tell("took", "R1", "1");
        delete("/nodepool/requests/R1");
        request("R2");
        node("1", "ready", "\"R2\"");
        fulfil("R2", "1");
        tell("took", "R2", "1");
        assertEquals(
                List.of("node 1 was taken for R1 and for R2"),
                HandOverCheck.faults(history()).subList(0, 1));
    }

    @Test
    void a_request_without_an_answer_is_found_and_the_slowest_answer_measured() {
        tell("asked", "R1");
        tell("asked", "R2");
        tell("fulfilled", "R1", "1");
        tell("asked", "R3");
        tell("cancelled", "R3");
        ServiceCheck check = new ServiceCheck(history());
        assertEquals(List.of("R2 was never fulfilled"), check.faults());
        assertEquals(Duration.ofMillis(2), check.longest());
        assertEquals(1, check.fulfilled());
    }

    @Test
    void a_second_ready_node_in_stock_is_found_unless_a_customer_gave_it_back() {
        request("R1");
        node("1", "building", "\"R1\"");
        node("1", "ready", "null");
        node("2", "ready", "null");
        assertEquals(List.of(), StockCheck.faults(history()));

        node("3", "ready", "null");

        assertEquals(1, StockCheck.faults(history()).size());
    }

    @Test
    void a_machine_too_many_is_found_in_its_pool_and_in_its_tenant() {
        node("1", "building", "\"R1\"");
        node("2", "building", "\"R2\"");
        machine("m1", "1", 10, 20);
        machine("m2", "2", 20, 30);
        assertEquals(List.of(), RoomCheck.faults(history()));

        machine("m3", "2", 29, 40);

        assertEquals(
                List.of(
                        "1970-01-01T00:00:00.029Z: provider EAST: 2 machines, at most 1 allowed: [2, 2]",
                        "1970-01-01T00:00:00.029Z: tenant acme: 2 machines, at most 1 allowed: [2, 2]"),
                RoomCheck.faults(history()).stream()
                        .map(fault -> fault.lines().findFirst().orElseThrow())
                        .toList());
    }

    @Test
    void a_machine_from_stock_is_its_tenants_when_the_request_has_it_even_if_it_was_made_for_that_request() {
        request("R1");
        change("/nodepool/requests/R1", "{\"state\": \"pending\"}");
        node("1", "ready", "\"R1\"");
        node("1", "ready", "null");
        node("1", "ready", "\"R1\"");
        Machine promised = new Machine("m1", "1", "WEST", "main", Instant.EPOCH, Optional.empty());
        machines.add(promised);
        node("2", "building", "\"R2\"");
        machine("m2", "2", now, 1000);
        assertEquals(List.of(), RoomCheck.faults(history()));

        fulfil("R1", "1");
        node("1", "ready", "\"R1\"");

        assertEquals(1, RoomCheck.faults(history()).size());
    }

    @Test
    void a_machine_without_a_record_a_second_machine_and_what_is_left_are_found() {
        node("1", "building", "\"R1\"");
        machine("m1", "1", 5, 9);
        now = 10;
        delete("/nodepool/nodes/1");
        assertEquals(List.of(), OwnershipCheck.faults(history()));

        machine("m2", "1", 6, 12);
        machine("m3", "9", 6, 12);
        node("2", "building", "\"R1\"");

        assertEquals(
                List.of(
                        "node 1 got two machines, m1 and m2",
                        "machine m2 outlived the record of node 1",
                        "machine m3 was made before the record of node 9",
                        "node 2 is left"),
                OwnershipCheck.faults(history()));
    }

    @Test
    void what_moves_on_after_a_kill_is_measured_and_a_machine_that_was_gone_on_with_counted() {
        halfBuiltAtKill();
        now += 100;
        create(OTHER, "/nodepool/requests-lock/R1/lock-2", "");
        create(OTHER, "/nodepool/nodes/1/lock/lock-2", "");
        node("1", "ready", "\"R1\"");

        RecoveryCheck check = new RecoveryCheck(history());

        assertEquals(List.of(), check.faults());
        assertEquals(2, check.inHand());
        assertEquals(1, check.resumed());
        assertEquals(Duration.ofMillis(103), check.longest());
    }

    @Test
    void what_stays_after_a_kill_and_a_half_built_machine_that_is_thrown_away_are_found() {
        halfBuiltAtKill();
        node("1", "deleting", "\"R1\"");

        assertEquals(
                List.of(
                        "/nodepool/requests/R1 of launcher-0 never moved on",
                        "the half-built machine of node 1 for R1 was thrown away"),
                new RecoveryCheck(history()).faults().stream().sorted().toList());
    }

    private void halfBuiltAtKill() {
        create(LAUNCHER, "/nodepool/components/pool/host1", "{\"id\": \"pool-1\"}");
        request("R1");
        change("/nodepool/requests/R1", "{\"state\": \"pending\"}");
        create(LAUNCHER, "/nodepool/requests-lock/R1/lock-1", "");
        node("1", "building", "\"R1\"");
        create(LAUNCHER, "/nodepool/nodes/1/lock/lock-1", "");
        machine("m1", "1", now, 1000);
        kills.add(new Kill("launcher-0", Instant.ofEpochMilli(now), Set.of("pool-1")));
        add(LAUNCHER, Kind.SESSION_CLOSED, "", "", true);
        for (String path : List.of("/nodepool/requests-lock/R1/lock-1", "/nodepool/nodes/1/lock/lock-1")) {
            now--;
            add(LAUNCHER, Kind.DELETED, path, "", true);
        }
    }

    private void request(String id) {
        add(CUSTOMER, Kind.CREATED, "/nodepool/requests/" + id, "{\"state\": \"requested\"}", false);
    }

    private void fulfil(String id, String node) {
        change("/nodepool/requests/" + id, "{\"state\": \"fulfilled\", \"nodes\": [\"" + node + "\"]}");
    }

    private void node(String id, String state, String request) {
        change("/nodepool/nodes/" + id, NODE.formatted(state, request, "acme"));
    }

    private void create(long session, String path, String data) {
        add(session, Kind.CREATED, path, data, true);
    }

    private void change(String path, String data) {
        add(LAUNCHER, Kind.CHANGED, path, data, false);
    }

    private void delete(String path) {
        add(CUSTOMER, Kind.DELETED, path, "", false);
    }

    private void add(long session, Kind kind, String path, String data, boolean ephemeral) {
        now++;
        changes.add(new Change(Instant.ofEpochMilli(now), now, session, kind, path, data, ephemeral));
    }

    private void machine(String id, String node, long made, long removed) {
        machines.add(new Machine(
                id, node, "EAST", "main", Instant.ofEpochMilli(made), Optional.of(Instant.ofEpochMilli(removed))));
    }

    private void tell(String what, String request, String... rest) {
        now++;
        told.add(new Told(Instant.ofEpochMilli(now), what, request, List.of(rest)));
    }

    private History history() {
        return History.of(LIMITS, changes, machines, told, kills);
    }
}
