package nodepool.driver.statemachine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import nodepool.api.driver.CloudException;
import nodepool.api.driver.CloudException.Fault;
import nodepool.api.driver.Instance;
import nodepool.api.driver.Step;
import nodepool.api.node.Node;
import nodepool.testkit.ManualClock;
import org.junit.jupiter.api.Test;

class MakeThenWaitTest {

    private static final Duration PAUSE = Duration.ofSeconds(2);

    private final ManualClock clock = new ManualClock();
    private final List<String> calls = new ArrayList<>();
    private Optional<String> found = Optional.empty();
    private Optional<Instance.Status> status = Optional.empty();

    private final MakeThenWait machine = new MakeThenWait(
            new MakeThenWait.Calls() {
                @Override
                public Optional<String> find() {
                    calls.add("find");
                    return found;
                }

                @Override
                public String make() {
                    calls.add("make");
                    return "i-1";
                }

                @Override
                public Optional<Instance> look(String id) {
                    calls.add("look at " + id);
                    return status.map(now -> Instance.of(id, now, Map.of(), Node.Addresses.NONE));
                }
            },
            PAUSE,
            Duration.ofMinutes(1),
            clock);

    @Test
    void what_is_there_already_is_not_made_again() throws Exception {
        found = Optional.of("i-0");
        Step.Again again = again(Map.of());
        assertEquals(List.of("find"), calls);
        assertEquals(Optional.of("i-0"), again.externalId());
        assertEquals(PAUSE, again.notBefore());
    }

    @Test
    void a_made_machine_is_looked_at_until_it_is_ready() throws Exception {
        Step.Again made = again(Map.of());
        status = Optional.of(Instance.Status.PENDING);
        Step.Again pending = again(made.memo());
        status = Optional.of(Instance.Status.READY);
        assertInstanceOf(Step.Done.class, machine.advance(pending.memo()));
        assertEquals(List.of("find", "make", "look at i-1", "look at i-1"), calls);
    }

    @Test
    void a_listing_may_lag_behind_but_not_for_ever() throws Exception {
        Map<String, String> memo = again(Map.of()).memo();
        for (int i = 0; i < 10; i++) {
            memo = again(memo).memo();
        }
        Map<String, String> last = memo;
        assertEquals(
                Fault.MACHINE_FAILED,
                assertThrows(CloudException.class, () -> machine.advance(last)).fault());
    }

    @Test
    void a_deleted_machine_and_one_that_takes_too_long_have_failed() throws Exception {
        Map<String, String> memo = again(Map.of()).memo();
        status = Optional.of(Instance.Status.DELETED);
        assertEquals(
                Fault.MACHINE_FAILED,
                assertThrows(CloudException.class, () -> machine.advance(memo)).fault());
        status = Optional.of(Instance.Status.PENDING);
        clock.advance(Duration.ofSeconds(61));
        assertEquals(
                Fault.MACHINE_FAILED,
                assertThrows(CloudException.class, () -> machine.advance(memo)).fault());
    }

    private Step.Again again(Map<String, String> memo) throws CloudException {
        return assertInstanceOf(Step.Again.class, machine.advance(memo));
    }
}
