package nodepool.launcher;

import java.time.Duration;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/**
 * One thread that owns some state. Everything else posts to it or wakes it; it never blocks. After {@link #close()}
 * whatever is posted is dropped.
 */
final class Loop implements Executor, AutoCloseable {

    private final ScheduledThreadPoolExecutor thread;
    private final AtomicBoolean woken = new AtomicBoolean();
    private final Runnable pass;
    private final Consumer<RuntimeException> broken;

    /**
     * @param name of the thread
     * @param pass what to do after a wake
     * @param broken told what nobody expected; the next wake tries again
     */
    Loop(String name, Runnable pass, Consumer<RuntimeException> broken) {
        this.thread = new ScheduledThreadPoolExecutor(1, task -> {
            Thread made = new Thread(task, name);
            made.setDaemon(true);
            return made;
        });
        thread.setRemoveOnCancelPolicy(true);
        thread.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
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

    /** Runs on this loop, later. */
    void in(Duration delay, Runnable task) {
        try {
            thread.schedule(() -> guarded(task), Math.max(0, delay.toNanos()), TimeUnit.NANOSECONDS);
        } catch (RejectedExecutionException closed) {
            woken.set(false);
        }
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

    /** Runs {@code then} on this loop when {@code call}, made elsewhere, ends either way. */
    <T> void after(CompletionStage<T> call, BiConsumer<@Nullable T, @Nullable Throwable> then) {
        call.whenComplete((value, failure) -> execute(() -> then.accept(value, failure)));
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

    /** Begins a call whose outcome changes nothing here: what it leaves undone, a later pass finds. */
    static void begin(CompletionStage<?> call, Logger log) {
        call.whenComplete((value, failure) -> {
            if (failure != null) {
                log.debug("A later pass tries again", failure);
            }
        });
    }

    @Override
    public void close() {
        thread.shutdown();
    }
}
