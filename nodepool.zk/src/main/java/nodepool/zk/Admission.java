package nodepool.zk;

import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import nodepool.api.registry.Registration;
import nodepool.api.store.Snapshot;

/**
 * Whether this process may take part: not beside components which all speak a newer model of the data, as they may have
 * written what it does not understand. Asked with the first snapshot; until it is granted nothing is shown and nobody
 * registered. Whoever only looks is not asked. Thread-safe.
 */
final class Admission {

    /** The model of the data that this version speaks. */
    static final int MODEL_API = 0;

    private final CompletableFuture<Void> granted;

    private Admission(CompletableFuture<Void> granted) {
        this.granted = granted;
    }

    /** For a process that takes part. */
    static Admission asked() {
        return new Admission(new CompletableFuture<>());
    }

    /** For a tool. */
    static Admission notAsked() {
        return new Admission(CompletableFuture.completedFuture(null));
    }

    /** Why this process may not take part; absent if it may. */
    Optional<String> objection(Snapshot now) {
        OptionalInt least =
                now.components().stream().mapToInt(Registration::modelApi).min();
        return !isGranted() && least.isPresent() && least.getAsInt() > MODEL_API
                ? Optional.of(
                        "every running component speaks model %d of the data or a newer one, this version speaks %d only"
                                .formatted(least.getAsInt(), MODEL_API))
                : Optional.empty();
    }

    void grant() {
        granted.complete(null);
    }

    void refuse(String why) {
        granted.completeExceptionally(new IllegalStateException(why));
    }

    boolean isGranted() {
        return granted.isDone() && !granted.isCompletedExceptionally();
    }

    /** Completes when it is granted; fails with {@link IllegalStateException} when it is refused. */
    CompletionStage<Void> granted() {
        return granted;
    }
}
