package nodepool.builder;

import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;

/** What the store answers, for threads that have nothing else to do than to wait for it. */
final class Answer {

    private Answer() {}

    /**
     * Waits for as long as it takes. An interrupt does not end the wait, so that what was begun is also finished; it is still
     * there afterwards.
     *
     * @throws RuntimeException what the stage failed with: {@link nodepool.api.store.SessionLostException} and others
     */
    static <T> T of(CompletionStage<T> stage) {
        Future<T> answer = stage.toCompletableFuture();
        boolean interrupted = false;
        try {
            while (true) {
                try {
                    return answer.get();
                } catch (InterruptedException stop) {
                    interrupted = true;
                }
            }
        } catch (ExecutionException failure) {
            Throwable cause = failure.getCause();
            throw cause instanceof RuntimeException same ? same : new CompletionException(cause);
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
