package nodepool.launcher;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import java.util.function.Supplier;
import nodepool.api.store.SnapshotSource.Subscription;

/** Rung after every change of something, so that tests wait for events and never for time. Thread-safe. */
final class Bell {

    private static final long DEADLINE_SECONDS = 20;

    private final List<Runnable> wakes = new CopyOnWriteArrayList<>();

    void ring() {
        wakes.forEach(Runnable::run);
    }

    Subscription onChange(Runnable wake) {
        wakes.add(wake);
        return () -> wakes.remove(wake);
    }

    /** Waits until {@code look} finds something; it is asked now and after every ring. */
    <T> T await(String what, Supplier<Optional<T>> look) {
        return await(what, this::onChange, look, () -> "nothing more is known");
    }

    /**
     * Waits until {@code look} finds something.
     *
     * @param what is waited for, for the failure's message
     * @param onChange how to be told that it is worth looking again
     * @param instead describes what there is at the deadline
     */
    static <T> T await(
            String what,
            Function<Runnable, Subscription> onChange,
            Supplier<Optional<T>> look,
            Supplier<String> instead) {
        CompletableFuture<T> found = new CompletableFuture<>();
        Runnable looking = () -> {
            try {
                look.get().ifPresent(found::complete);
            } catch (RuntimeException | AssertionError failure) {
                found.completeExceptionally(failure);
            }
        };
        Subscription subscription = onChange.apply(looking);
        try {
            looking.run();
            return await(found);
        } catch (CompletionException late) {
            if (late.getCause() instanceof TimeoutException) {
                throw new AssertionError("waited in vain for " + what + "; instead: " + instead.get(), late);
            }
            throw late;
        } finally {
            subscription.close();
        }
    }

    /** Waits for the end of one call. */
    static <T> T await(CompletionStage<T> call) {
        return call.toCompletableFuture()
                .copy()
                .orTimeout(DEADLINE_SECONDS, TimeUnit.SECONDS)
                .join();
    }
}
