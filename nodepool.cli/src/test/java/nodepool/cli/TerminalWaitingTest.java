package nodepool.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.ArrayDeque;
import java.util.Deque;
import nodepool.cli.verb.Waiting;
import org.junit.jupiter.api.Test;

class TerminalWaitingTest {

    private final StringWriter terminal = new StringWriter();
    private final Deque<Runnable> seconds = new ArrayDeque<>();

    private Waiting begin() {
        return TerminalWaiting.begin("waiting for rain", new PrintWriter(terminal), seconds::add);
    }

    private void aSecondGoesBy() {
        seconds.remove().run();
    }

    @Test
    void what_is_over_within_a_second_is_not_told() {
        begin().close();
        aSecondGoesBy();
        assertEquals("", terminal.toString());
    }

    @Test
    void what_takes_longer_is_told_each_second_and_wiped_out_at_the_end() {
        Waiting waiting = begin();
        aSecondGoesBy();
        aSecondGoesBy();
        waiting.close();
        aSecondGoesBy();
        assertEquals("\r\u001b[Kwaiting for rain (1 s)\r\u001b[Kwaiting for rain (2 s)\r\u001b[K", terminal.toString());
    }
}
