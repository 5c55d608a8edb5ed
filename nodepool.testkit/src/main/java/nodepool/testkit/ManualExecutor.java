package nodepool.testkit;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.Deque;
import java.util.PriorityQueue;
import java.util.concurrent.Callable;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * An executor whose tasks run when the test says so, on the test's thread. Tasks with a delay come due by its {@link
 * ManualClock}. Confined to the test's thread.
 */
public final class ManualExecutor extends ScheduledThreadPoolExecutor {

    private static final int MANY = 100_000;

    private final ManualClock clock;
    private final Deque<Runnable> now = new ArrayDeque<>();
    private final PriorityQueue<Later> later =
            new PriorityQueue<>(Comparator.comparing(Later::at).thenComparing(Later::order));
    private long order;

    public ManualExecutor(ManualClock clock) {
        super(0);
        this.clock = clock;
        setRemoveOnCancelPolicy(true);
    }

    private record Later(Instant at, long order, ScheduledFuture<?> future, Runnable task) {}

    @Override
    public void execute(Runnable task) {
        now.add(task);
    }

    /** The future is a real one that never comes due; it only carries the cancellation. */
    @Override
    public ScheduledFuture<?> schedule(Runnable task, long delay, TimeUnit unit) {
        ScheduledFuture<?> never = super.schedule(() -> {}, 365, TimeUnit.DAYS);
        later.add(new Later(clock.instant().plusNanos(unit.toNanos(delay)), order++, never, task));
        return never;
    }

    @Override
    public <V> ScheduledFuture<V> schedule(Callable<V> task, long delay, TimeUnit unit) {
        throw new UnsupportedOperationException("only tasks without a result can be delayed here");
    }

    /** How many tasks wait to run at once. */
    public int waiting() {
        return now.size();
    }

    /** Runs everything that can run now. */
    public void settle() {
        for (int steps = 0; !now.isEmpty(); steps++) {
            if (steps > MANY) {
                throw new AssertionError("it does not come to rest");
            }
            now.remove().run();
        }
    }

    /** Lets time pass and runs what comes due, each task at its time. */
    public void pass(Duration time) {
        Instant end = clock.instant().plus(time);
        settle();
        while (!later.isEmpty() && !later.peek().at().isAfter(end)) {
            Later due = later.remove();
            if (due.at().isAfter(clock.instant())) {
                clock.advance(Duration.between(clock.instant(), due.at()));
            }
            if (!due.future().isCancelled()) {
                due.future().cancel(false);
                due.task().run();
                settle();
            }
        }
        clock.advance(Duration.between(clock.instant(), end));
    }
}
