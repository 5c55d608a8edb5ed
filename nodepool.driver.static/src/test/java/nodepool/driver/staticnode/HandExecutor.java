package nodepool.driver.staticnode;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.Deque;
import java.util.PriorityQueue;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/** An executor whose tasks run, and whose time passes, when the test says so; on the test's thread. */
final class HandExecutor extends ScheduledThreadPoolExecutor {

    private record Later(long at, ScheduledFuture<?> future, Runnable task) {}

    private final Deque<Runnable> now = new ArrayDeque<>();
    private final PriorityQueue<Later> later = new PriorityQueue<>(Comparator.comparing(Later::at));
    private long millis;

    HandExecutor() {
        super(0);
        setRemoveOnCancelPolicy(true);
    }

    @Override
    public void execute(Runnable task) {
        now.add(task);
    }

    /** The future is a real one that never comes due; it only carries the cancellation. */
    @Override
    public ScheduledFuture<?> schedule(Runnable task, long delay, TimeUnit unit) {
        ScheduledFuture<?> never = super.schedule(() -> {}, 365, TimeUnit.DAYS);
        later.add(new Later(millis + unit.toMillis(delay), never, task));
        return never;
    }

    /** Runs everything that can run. */
    void settle() {
        for (int steps = 0; !now.isEmpty(); steps++) {
            if (steps > 10_000) {
                throw new AssertionError("it does not come to rest");
            }
            now.remove().run();
        }
    }

    /** Lets time pass and runs what comes due. */
    void pass(Duration time) {
        millis += time.toMillis();
        while (!later.isEmpty() && later.peek().at() <= millis) {
            Later due = later.remove();
            if (!due.future().isCancelled()) {
                due.task().run();
                settle();
            }
        }
    }
}
