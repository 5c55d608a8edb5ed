package nodepool.builder;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

/** One thread that owns some state. Everything else posts to it or wakes it. After {@link #close()} posts are dropped. */
final class Loop implements Executor, AutoCloseable {

    private final ScheduledThreadPoolExecutor thread;
    private final AtomicBoolean woken = new AtomicBoolean();
    private final Runnable pass;
    private final Consumer<RuntimeException> broken;
    private Optional<Future<?>> alarm = Optional.empty();

    /**
     * @param name of the thread
     * @param pass what to do after a wake
     * @param broken told what nobody expected; the next wake tries again
     */
    Loop(String name, Runnable pass, Consumer<RuntimeException> broken) {
        this.thread = new ScheduledThreadPoolExecutor(1, DaemonThreads.named(name));
        thread.setRemoveOnCancelPolicy(true);
        thread.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
        thread.setContinueExistingPeriodicTasksAfterShutdownPolicy(false);
        this.pass = pass;
        this.broken = broken;
    }

    /** Any number of wakes before the next pass cost one pass. */
    void wake() {
        if (woken.compareAndSet(false, true)) {
            execute(this::onePass);
        }
    }

    /** Wakes now and then, as a safety net for lost events. */
    void wakeEvery(Duration period) {
        thread.scheduleWithFixedDelay(this::wake, period.toMillis(), period.toMillis(), TimeUnit.MILLISECONDS);
    }

    /** Wakes once after that time, in place of what was set before. Only called on this loop. */
    void wakeIn(Duration delay) {
        silence();
        try {
            alarm = Optional.of(thread.schedule(this::wake, Math.max(1, delay.toMillis()), TimeUnit.MILLISECONDS));
        } catch (RejectedExecutionException closed) {
            alarm = Optional.empty();
        }
    }

    /** Takes back {@link #wakeIn}. Only called on this loop. */
    void silence() {
        alarm.ifPresent(set -> set.cancel(false));
        alarm = Optional.empty();
    }

    /** Runs on this loop, soon, even when called from it. */
    @Override
    public void execute(Runnable task) {
        try {
            thread.execute(() -> guarded(task));
        } catch (RejectedExecutionException closed) {
            woken.set(false);
        }
    }

    private void onePass() {
        woken.set(false);
        pass.run();
    }

    /** The edge: the one place that catches what nobody expected. */
    private void guarded(Runnable task) {
        try {
            task.run();
        } catch (RuntimeException bug) {
            broken.accept(bug);
        }
    }

    @Override
    public void close() {
        thread.shutdown();
    }
}
