package nodepool.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.time.Duration;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ManualExecutorTest {

    private final ManualClock clock = new ManualClock();
    private final ManualExecutor executor = new ManualExecutor(clock);
    private final List<String> ran = new ArrayList<>();

    @AfterEach
    void end() {
        executor.shutdownNow();
    }

    @Test
    void nothing_runs_before_the_test_says_so() {
        executor.execute(() -> ran.add("now"));
        assertEquals(List.of(), ran);
        executor.settle();
        assertEquals(List.of("now"), ran);
    }

    @Test
    void delayed_tasks_come_due_in_the_order_of_their_times_and_see_them() {
        executor.schedule(note("second"), 2, TimeUnit.SECONDS);
        executor.schedule(note("first"), 1, TimeUnit.SECONDS);
        executor.pass(Duration.ofSeconds(1));
        assertEquals(List.of("first at 2026-01-01T00:00:01Z"), ran);
        executor.pass(Duration.ofSeconds(5));
        assertEquals("second at 2026-01-01T00:00:02Z", ran.get(1));
        assertEquals("2026-01-01T00:00:06Z", clock.instant().toString());
    }

    @Test
    void a_cancelled_task_does_not_run() {
        ScheduledFuture<?> task = executor.schedule(note("late"), 1, TimeUnit.SECONDS);
        task.cancel(false);
        executor.pass(Duration.ofSeconds(2));
        assertEquals(List.of(), ran);
    }

    @Test
    void clocks_of_other_zones_advance_together() {
        ManualClock elsewhere = (ManualClock) clock.withZone(ZoneId.of("Asia/Tokyo"));
        clock.advance(Duration.ofDays(1));
        assertEquals(clock.instant(), elsewhere.instant());
    }

    private Runnable note(String what) {
        return () -> ran.add(what + " at " + clock.instant());
    }
}
