package nodepool.driver.statemachine.keyscan;

import java.io.IOException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.Comparator;
import java.util.PriorityQueue;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One thread that sleeps until a connection is ready, a task is handed in, or a time has come; with nothing to do it sleeps
 * for ever. Everything but {@link #execute} and {@link #close} is for tasks that run on it.
 */
final class SelectorLoop implements Executor, AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger("nodepool.NodescanRequest");

    /** Something to do at a time. */
    static final class Timer {
        private final long nanoTime;
        private final Runnable task;

        private Timer(long nanoTime, Runnable task) {
            this.nanoTime = nanoTime;
            this.task = task;
        }
    }

    private final Selector selector;
    private final LongSupplier nanoTime;
    private final Runnable atEnd;
    private final Queue<Runnable> handedIn = new ConcurrentLinkedQueue<>();
    private final PriorityQueue<Timer> timers;
    private final Thread thread;
    private volatile boolean closed;

    /**
     * @param nanoTime as {@link System#nanoTime}
     * @param atEnd the last thing to run on it, however it ends
     */
    SelectorLoop(String name, LongSupplier nanoTime, Runnable atEnd) throws IOException {
        this.nanoTime = nanoTime;
        this.atEnd = atEnd;
        long origin = nanoTime.getAsLong();
        this.timers = new PriorityQueue<>(Comparator.comparingLong(timer -> timer.nanoTime - origin));
        this.selector = Selector.open();
        this.thread = new Thread(this::run, name);
        thread.setDaemon(true);
    }

    void start() {
        thread.start();
    }

    /**
     * Runs a task on the loop, after those handed in before. From any thread.
     *
     * @throws RejectedExecutionException if the loop is closed; the task may run all the same
     */
    @Override
    public void execute(Runnable task) {
        handedIn.add(task);
        if (closed) {
            throw new RejectedExecutionException("the loop is closed");
        }
        selector.wakeup();
    }

    Timer after(Duration delay, Runnable task) {
        Timer timer = new Timer(nanoTime.getAsLong() + delay.toNanos(), task);
        timers.add(timer);
        return timer;
    }

    void callOff(Timer timer) {
        timers.remove(timer);
    }

    /** @param ready told, on the loop's thread, when the connection is ready for one of the operations */
    SelectionKey register(SocketChannel channel, int operations, Runnable ready) throws ClosedChannelException {
        return channel.register(selector, operations, ready);
    }

    private void run() {
        try (selector) {
            turn();
        } catch (IOException e) {
            log.error("The selector of the key scan failed; no host is scanned any more", e);
        }
    }

    private void turn() throws IOException {
        try {
            while (!closed) {
                await();
                runHandedIn();
                selector.selectedKeys().forEach(key -> safely((Runnable) key.attachment()));
                selector.selectedKeys().clear();
                runTimers();
            }
        } finally {
            closed = true;
            runHandedIn();
            safely(atEnd);
        }
    }

    private void await() throws IOException {
        Timer next = timers.peek();
        if (next == null) {
            selector.select();
            return;
        }
        long left = next.nanoTime - nanoTime.getAsLong();
        if (left > 0) {
            selector.select(TimeUnit.NANOSECONDS.toMillis(left) + 1);
        } else {
            selector.selectNow();
        }
    }

    private void runHandedIn() {
        for (Runnable task = handedIn.poll(); task != null; task = handedIn.poll()) {
            safely(task);
        }
    }

    private void runTimers() {
        long now = nanoTime.getAsLong();
        for (Timer next = timers.peek(); next != null && next.nanoTime - now <= 0; next = timers.peek()) {
            timers.remove(next);
            safely(next.task);
        }
    }

    /** A mistake in one scan must not end the others. */
    private static void safely(Runnable task) {
        try {
            task.run();
        } catch (RuntimeException bug) {
            log.error("A step of a key scan failed", bug);
        }
    }

    /** Ends the thread after what was handed in before, and waits for that unless it runs on the thread itself. */
    @Override
    public void close() {
        closed = true;
        selector.wakeup();
        try {
            if (Thread.currentThread() != thread) {
                thread.join();
            }
        } catch (InterruptedException stop) {
            Thread.currentThread().interrupt();
        }
    }
}
