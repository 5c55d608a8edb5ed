package nodepool.zk;

import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Asynchronous calls that fail in their result only, never by throwing at the caller. */
final class Async {

    private Async() {}

    static <T> CompletableFuture<T> call(Supplier<CompletableFuture<T>> call) {
        try {
            return call.get();
        } catch (RuntimeException failure) {
            return CompletableFuture.failedFuture(failure);
        }
    }

    /** The only value of {@link Void}. */
    @SuppressWarnings("NullAway") // Void has no other value
    static Void nothing() {
        return null;
    }

    static @Nullable Void ignore(Object anything) {
        return null;
    }
}
