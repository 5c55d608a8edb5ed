package nodepool.testkit.contract;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import nodepool.api.driver.CloudException;
import nodepool.api.driver.CloudException.Fault;

/**
 * Where the kit breaks a cloud. The test's cloud lets every call pass through here: a cloud in the same process through
 * {@link #call}; one behind a socket asks {@link #next} and misbehaves as told. Thread-safe.
 */
public final class FaultPoints {

    private final CountDownLatch ended = new CountDownLatch(1);
    private Break armed = Break.NONE;
    private int number;
    private int calls;

    /** One call to a cloud. */
    @FunctionalInterface
    public interface Work<T> {
        T run() throws CloudException;
    }

    /** What happens to the call that comes now. */
    public synchronized Break next() {
        calls++;
        return calls == number ? armed : Break.NONE;
    }

    /** Makes a call, or breaks it. */
    public <T> T call(Work<T> work) throws CloudException {
        return switch (next()) {
            case NONE -> work.run();
            case ERROR -> throw new CloudException(Fault.TRANSIENT, "the kit: the cloud has failed");
            case LOST_ANSWER ->
                throw new CloudException(Fault.TRANSIENT, "the kit: the connection broke after " + work.run());
            case NO_ANSWER -> {
                awaitEnd();
                throw new CloudException(Fault.TRANSIENT, "the kit: nobody waits for this answer any more");
            }
            case QUOTA -> throw new CloudException(Fault.QUOTA, "the kit: quota exceeded");
            case RATE_LIMIT ->
                throw new CloudException(Fault.RATE_LIMIT, "the kit: too many requests", Duration.ofSeconds(1));
        };
    }

    /** Blocks until the case is over: what a call without an answer does. Heeds no interrupt, as a socket would not. */
    public void awaitEnd() {
        boolean interrupted = false;
        while (true) {
            try {
                ended.await();
                break;
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** Breaks the call of that number, counted from 1 from now on. */
    synchronized void arm(Break kind, int callNumber) {
        armed = kind;
        number = callNumber;
        calls = 0;
    }

    /** Counts from now on, and breaks nothing. */
    synchronized void count() {
        arm(Break.NONE, 0);
    }

    /** Calls since {@link #arm} or {@link #count}. */
    synchronized int calls() {
        return calls;
    }

    /** Lets go of the calls that wait for ever. */
    void end() {
        ended.countDown();
    }
}
