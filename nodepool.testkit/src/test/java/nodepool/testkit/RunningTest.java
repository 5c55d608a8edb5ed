package nodepool.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.opentest4j.TestAbortedException;

class RunningTest {

    @Test
    void a_line_is_found_before_and_after_it_is_printed() throws Exception {
        try (Running shell = shell("echo $WORD; echo ready; exec sleep 1000")) {
            shell.await("ready");
            assertEquals("first", shell.await("first"));
        }
    }

    @Test
    void a_line_that_can_never_come_ends_the_wait_at_once() throws Exception {
        try (Running shell = shell("echo $WORD")) {
            AssertionError never = assertThrows(AssertionError.class, () -> shell.await("second"));
            assertTrue(String.valueOf(never.getMessage()).contains("first"));
        }
    }

    @Test
    void it_is_asked_to_stop_and_its_exit_code_and_last_words_are_known() throws Exception {
        String patient = "trap 'kill $!; echo asked; exit 3' TERM; trap 'kill $!; echo interrupted; exit 4' INT; "
                + "sleep 1000 >/dev/null 2>&1 & echo ready; wait";
        try (Running shell = shell(patient)) {
            shell.await("ready");
            assertEquals(new Ended(3, "ready\nasked"), shell.stop());
        }
        try (Running shell = shell(patient)) {
            shell.await("ready");
            assertEquals(new Ended(4, "ready\ninterrupted"), shell.interrupt());
        }
    }

    @Test
    void a_missing_part_skips_the_test_or_fails_it_where_all_must_be_there() {
        assertThrows(TestAbortedException.class, () -> {
            throw RealPart.SSHD.missing(false);
        });
        AssertionError failed = assertThrows(AssertionError.class, () -> RealPart.SSHD.missing(true));
        assertTrue(String.valueOf(failed.getMessage()).contains("apt-get install openssh-server"));
    }

    private static Running shell(String script) throws Exception {
        return Running.start(Map.of("WORD", "first"), List.of("bash", "-c", script));
    }
}
