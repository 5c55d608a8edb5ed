package nodepool.driver.statemachine.taskmanager;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.function.Consumer;
import nodepool.api.driver.CloudException;
import nodepool.api.driver.CloudException.Fault;

/** One piece of remote work. Its arguments are the fields of the author's subclass. */
public abstract class Task<T> {

    private final CompletableFuture<T> result = new CompletableFuture<>();
    private volatile Consumer<Task<?>> givenUp = task -> {};

    /** For the log. */
    public String name() {
        return getClass().getSimpleName();
    }

    /** Does the work, in the task manager's thread. Calls that count go inside {@link TaskManager#rateLimit}. */
    protected abstract T main(TaskManager manager) throws CloudException;

    /**
     * Waits until the task has run; gives its result, or throws in this thread what it threw. If this thread is interrupted,
     * the task is given up.
     */
    public final T await() throws CloudException {
        try {
            return result.get();
        } catch (ExecutionException e) {
            if (e.getCause() instanceof CloudException cloud) {
                throw cloud;
            }
            throw new CloudException(Fault.TRANSIENT, name() + ": " + e.getCause(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            givenUp.accept(this);
            throw new CloudException(Fault.TRANSIENT, name() + ": interrupted", e);
        }
    }

    /** @param whenGivenUp told when whoever waits for this task does so no more */
    final void submitted(Consumer<Task<?>> whenGivenUp) {
        givenUp = whenGivenUp;
    }

    final void run(TaskManager manager) {
        try {
            result.complete(main(manager));
        } catch (CloudException | RuntimeException failure) {
            result.completeExceptionally(failure);
        }
    }

    final void fail(CloudException why) {
        result.completeExceptionally(why);
    }
}
