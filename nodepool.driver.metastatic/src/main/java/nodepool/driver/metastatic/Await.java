package nodepool.driver.metastatic;

import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import nodepool.api.driver.CloudException;
import nodepool.api.driver.CloudException.Fault;

/** Waits for the store, on threads that may block. */
final class Await {

    private static final long SECONDS = 30;

    private Await() {}

    /**
     * The stage's value.
     *
     * @throws CloudException with {@link Fault#RATE_LIMIT} if the store failed, ended the session or took longer than 30 s:
     *     what was begun is found when the step is repeated, and no attempt is lost by it
     */
    static <T> T value(CompletionStage<T> stage) throws CloudException {
        try {
            return stage.toCompletableFuture().get(SECONDS, TimeUnit.SECONDS);
        } catch (ExecutionException failure) {
            throw new CloudException(Fault.RATE_LIMIT, "ZooKeeper: " + failure.getCause(), failure);
        } catch (TimeoutException slow) {
            throw new CloudException(Fault.RATE_LIMIT, "ZooKeeper did not answer in %d s".formatted(SECONDS), slow);
        } catch (InterruptedException stop) {
            Thread.currentThread().interrupt();
            throw new CloudException(Fault.RATE_LIMIT, "the provider is being stopped", stop);
        }
    }
}
