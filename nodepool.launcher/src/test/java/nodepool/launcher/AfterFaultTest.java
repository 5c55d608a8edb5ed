package nodepool.launcher;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import nodepool.api.driver.CloudException.Fault;
import nodepool.api.store.NodeMemo;
import nodepool.api.store.NodeMemo.Phase;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** What a launch does after a fault, with three attempts allowed. */
class AfterFaultTest {

    private static final int ATTEMPTS = 3;

    @ParameterizedTest
    @CsvSource({
        "RATE_LIMIT, SAME_STEP",
        "QUOTA, ABORT",
        "BAD_REQUEST, FAIL",
        "UNAUTHORIZED, FAIL",
        "NOT_FOUND, CLEAN_UP",
        "CAPACITY, CLEAN_UP",
        "TRANSIENT, CLEAN_UP",
        "MACHINE_FAILED, CLEAN_UP",
        "NO_ADDRESS, CLEAN_UP",
        "KEY_SCAN, CLEAN_UP",
        "TIMEOUT, CLEAN_UP",
        "NO_IMAGE, CLEAN_UP"
    })
    void in_the_first_attempt_the_fault_decides(Fault fault, AfterFault then) {
        assertEquals(then, AfterFault.ofStep(fault, memo(Phase.CREATE, 1), ATTEMPTS));
    }

    @ParameterizedTest
    @EnumSource(
            mode = EnumSource.Mode.EXCLUDE,
            names = {"RATE_LIMIT", "QUOTA"})
    void the_last_attempt_is_the_last(Fault fault) {
        assertEquals(AfterFault.FAIL, AfterFault.ofStep(fault, memo(Phase.CREATE, ATTEMPTS), ATTEMPTS));
    }

    @ParameterizedTest
    @EnumSource(names = {"RATE_LIMIT", "QUOTA"})
    void a_cloud_without_room_costs_no_attempt(Fault fault) {
        assertEquals(
                AfterFault.ofStep(fault, memo(Phase.CREATE, 1), ATTEMPTS),
                AfterFault.ofStep(fault, memo(Phase.CREATE, ATTEMPTS), ATTEMPTS));
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "NOT_FOUND")
    void what_is_left_of_an_attempt_is_removed_whatever_the_cloud_says(Fault fault) {
        assertEquals(AfterFault.SAME_STEP, AfterFault.ofStep(fault, memo(Phase.CLEAN_UP, 1), ATTEMPTS));
    }

    @Test
    void when_nothing_is_left_of_an_attempt_the_next_one_begins() {
        assertEquals(AfterFault.NEXT_ATTEMPT, AfterFault.ofStep(Fault.NOT_FOUND, memo(Phase.CLEAN_UP, 1), ATTEMPTS));
    }

    @Test
    void an_attempt_that_takes_too_long_is_followed_by_another_a_removal_is_not() {
        assertEquals(AfterFault.CLEAN_UP, AfterFault.ofDelay(memo(Phase.CREATE, 1), ATTEMPTS));
        assertEquals(AfterFault.FAIL, AfterFault.ofDelay(memo(Phase.CREATE, ATTEMPTS), ATTEMPTS));
        assertEquals(AfterFault.FAIL, AfterFault.ofDelay(memo(Phase.CLEAN_UP, 1), ATTEMPTS));
    }

    private static NodeMemo memo(Phase phase, int attempt) {
        return new NodeMemo(phase, attempt, Instant.EPOCH, Optional.empty(), Map.of());
    }
}
