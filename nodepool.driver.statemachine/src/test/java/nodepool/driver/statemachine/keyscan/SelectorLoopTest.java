package nodepool.driver.statemachine.keyscan;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class SelectorLoopTest {

    private final BlockingQueue<String> seen = new LinkedBlockingQueue<>();
    private SelectorLoop loop;

    @BeforeEach
    void start() throws Exception {
        loop = new SelectorLoop("loop", System::nanoTime, () -> seen.add("end"));
        loop.start();
    }

    @AfterEach
    void close() {
        loop.close();
    }

    @Test
    void timers_run_in_the_order_of_their_times_unless_called_off() throws Exception {
        loop.execute(() -> {
            loop.after(Duration.ofMillis(50), () -> seen.add("second"));
            SelectorLoop.Timer never = loop.after(Duration.ofMillis(30), () -> seen.add("never"));
            loop.after(Duration.ofMillis(10), () -> seen.add("first"));
            loop.callOff(never);
        });

        assertEquals(List.of("first", "second"), List.of(seen.take(), seen.take()));
    }

    @Test
    void a_mistake_in_one_task_does_not_end_the_others() throws Exception {
        loop.execute(() -> {
            throw new IllegalStateException("a mistake, on purpose");
        });
        loop.execute(() -> seen.add("next"));

        assertEquals("next", seen.take());
    }

    @Test
    void closing_runs_what_was_handed_in_before_and_then_the_end() {
        loop.execute(() -> seen.add("handed in"));
        loop.execute(loop::close);
        loop.close();

        assertEquals(List.of("handed in", "end"), List.copyOf(seen));
    }

    @Test
    void a_closed_loop_refuses_tasks() {
        loop.close();

        assertThrows(RejectedExecutionException.class, () -> loop.execute(() -> {}));
    }
}
