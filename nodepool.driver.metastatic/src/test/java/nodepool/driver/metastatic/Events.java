package nodepool.driver.metastatic;

import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import nodepool.api.store.Snapshot;
import nodepool.api.store.SnapshotSource;
import nodepool.api.store.SnapshotSource.Subscription;

/** Waiting for what is to come, with a generous deadline. */
final class Events {

    private Events() {}

    static <T> T await(CompletionStage<T> stage) {
        return stage.toCompletableFuture().orTimeout(30, TimeUnit.SECONDS).join();
    }

    /** What is found in the first snapshot in which something is found. */
    static <T> T first(SnapshotSource snapshots, Function<Snapshot, Optional<T>> find) {
        CompletableFuture<T> found = new CompletableFuture<>();
        Runnable look = () -> snapshots.current().flatMap(find).ifPresent(found::complete);
        Subscription subscription = snapshots.onChange(look);
        try {
            look.run();
            return await(found);
        } finally {
            subscription.close();
        }
    }
}
