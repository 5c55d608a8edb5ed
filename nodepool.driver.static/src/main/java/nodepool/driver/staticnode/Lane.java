package nodepool.driver.staticnode;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Runs tasks one after the other, in the order they were posted, on threads it borrows. What it runs must not block. */
final class Lane {

    private static final Logger log = LoggerFactory.getLogger("nodepool.driver.static");

    private final Executor executor;
    private final Queue<Runnable> tasks = new ConcurrentLinkedQueue<>();
    private final AtomicInteger waiting = new AtomicInteger();

    Lane(Executor executor) {
        this.executor = executor;
    }

    /** Runs that later; never on the caller's thread, never together with another. */
    void post(Runnable task) {
        tasks.add(task);
        if (waiting.getAndIncrement() == 0) {
            begin();
        }
    }

    private void begin() {
        try {
            executor.execute(this::run);
        } catch (RejectedExecutionException over) {
            log.debug("The provider has ended; dropping what was left to do");
        }
    }

    private void run() {
        int taken = waiting.get();
        for (int i = 0; i < taken; i++) {
            Runnable task = tasks.remove();
            try {
                task.run();
            } catch (RuntimeException bug) {
                log.error("A step of the static driver failed", bug);
            }
        }
        if (waiting.addAndGet(-taken) > 0) {
            begin();
        }
    }
}
