package nodepool.driver.statemachine.taskmanager;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import nodepool.api.driver.CloudException;
import nodepool.api.driver.CloudException.Fault;
import nodepool.driver.statemachine.CloudCall;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs tasks one after the other in one thread, and keeps rate limited calls a minimum time apart. A task that is given up
 * while it runs is interrupted, and its thread replaced in case it heeds no interrupt. Thread-safe.
 */
public final class TaskManager {

    /** How the thread lets time pass. */
    @FunctionalInterface
    interface Pause {
        void nanos(long nanos) throws InterruptedException;
    }

    private final Logger log = LoggerFactory.getLogger("nodepool.TaskManager");
    private final String name;
    private final long distance;
    private final LongSupplier nanoTime;
    private final Pause pause;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition arrived = lock.newCondition();
    private final Deque<Task<?>> queue = new ArrayDeque<>();
    private Optional<Worker> current = Optional.empty();
    private boolean stopped;
    private volatile long next;

    TaskManager(String name, double ratePerSecond, LongSupplier nanoTime, Pause pause) {
        if (!(ratePerSecond > 0)) {
            throw new IllegalArgumentException("rate of " + name + " must be more than 0: " + ratePerSecond);
        }
        this.name = name;
        this.distance = (long) (1e9 / ratePerSecond);
        this.nanoTime = nanoTime;
        this.pause = pause;
        this.next = nanoTime.getAsLong();
    }

    /**
     * @param name of the provider
     * @param ratePerSecond rate limited calls per second; more than 0
     */
    public TaskManager(String name, double ratePerSecond) {
        this(name, ratePerSecond, System::nanoTime, TimeUnit.NANOSECONDS::sleep);
    }

    /** Starts the thread, the first time it is called. */
    public void start() {
        lock.lock();
        try {
            if (current.isEmpty()) {
                current = Optional.of(new Worker());
                current.get().thread.start();
            }
        } finally {
            lock.unlock();
        }
    }

    /** Puts a task in line and returns it: {@code manager.submitTask(task).await()}. After {@link #stop} it fails. */
    public <K extends Task<?>> K submitTask(K task) {
        lock.lock();
        try {
            if (stopped) {
                task.fail(new CloudException(Fault.RATE_LIMIT, name + " is being stopped"));
            } else {
                Optional<Task<?>> ahead = current.flatMap(worker -> worker.inHand);
                task.submitted(given -> giveUp(given, ahead));
                queue.add(task);
                arrived.signal();
            }
        } finally {
            lock.unlock();
        }
        return task;
    }

    /**
     * Makes a rate limited call: waits until 1/rate s have passed since the last one ended. To be called in a task, which may
     * make several such calls, or none.
     */
    public <T> T rateLimit(CloudCall<T> call) throws CloudException {
        try {
            for (long left = next - nanoTime.getAsLong(); left > 0; left = next - nanoTime.getAsLong()) {
                pause.nanos(left);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new CloudException(Fault.TRANSIENT, name + " is being stopped", e);
        }
        try {
            return call.call();
        } finally {
            next = nanoTime.getAsLong() + distance;
        }
    }

    /** Tasks submitted until now are still run. Returns at once. */
    public void stop() {
        lock.lock();
        try {
            stopped = true;
            arrived.signal();
        } finally {
            lock.unlock();
        }
    }

    /** Waits until the thread has ended, for some seconds; then the task in hand is interrupted and the others fail. */
    public void join() throws InterruptedException {
        Optional<Worker> last = worker();
        if (last.isEmpty()) {
            failTheRest();
            return;
        }
        Thread thread = last.get().thread;
        thread.join(TimeUnit.SECONDS.toMillis(5));
        if (thread.isAlive()) {
            log.warn("{}: ending the task in hand", name);
            failTheRest();
            thread.interrupt();
            thread.join(TimeUnit.SECONDS.toMillis(2));
        }
    }

    private Optional<Worker> worker() {
        lock.lock();
        try {
            return current;
        } finally {
            lock.unlock();
        }
    }

    /**
     * Nobody waits for that task any more. If it runs, or if the one that ran when it was submitted runs still, then that one
     * has had its time.
     */
    private void giveUp(Task<?> task, Optional<Task<?>> ahead) {
        lock.lock();
        try {
            queue.remove(task);
            if (current.isPresent()
                    && (current.get().isRunning(task)
                            || ahead.filter(current.get()::isRunning).isPresent())) {
                log.warn(
                        "{}: {} took too long and is given up",
                        name,
                        current.get().inHand.get().name());
                current.get().thread.interrupt();
                current = Optional.of(new Worker());
                current.get().thread.start();
            }
        } finally {
            lock.unlock();
        }
    }

    /** The thread in service; one that was replaced ends after its task. */
    private final class Worker implements Runnable {
        private final Thread thread = new Thread(this, name + "-tasks");
        private Optional<Task<?>> inHand = Optional.empty();

        Worker() {
            thread.setDaemon(true);
        }

        boolean isRunning(Task<?> task) {
            return inHand.filter(task::equals).isPresent();
        }

        @Override
        public void run() {
            try {
                for (Optional<Task<?>> task = take(); task.isPresent(); task = take()) {
                    log.debug("{}: running {}", name, task.get().name());
                    task.get().run(TaskManager.this);
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }

        /** The next task; absent when there will be none for this thread. */
        private Optional<Task<?>> take() throws InterruptedException {
            lock.lock();
            try {
                inHand = Optional.empty();
                while (isInService() && queue.isEmpty() && !stopped) {
                    arrived.await();
                }
                inHand = isInService() ? Optional.ofNullable(queue.poll()) : Optional.empty();
                return inHand;
            } finally {
                lock.unlock();
            }
        }

        private boolean isInService() {
            return current.filter(worker -> worker == this).isPresent();
        }
    }

    private void failTheRest() {
        lock.lock();
        try {
            queue.forEach(task -> task.fail(new CloudException(Fault.RATE_LIMIT, name + " is being stopped")));
            queue.clear();
        } finally {
            lock.unlock();
        }
    }
}
