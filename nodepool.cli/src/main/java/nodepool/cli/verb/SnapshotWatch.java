package nodepool.cli.verb;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import nodepool.api.store.Snapshot;
import nodepool.api.store.SnapshotSource;
import nodepool.api.store.SnapshotSource.Subscription;

/** Waits until the shared state shows something, woken by its changes. */
final class SnapshotWatch {

    private SnapshotWatch() {}

    /**
     * What {@code look} finds first. Waits for as long as it takes.
     *
     * @param what is waited for, in words for the operator
     */
    static <T> T until(CommandContext context, String what, Function<Snapshot, Optional<T>> look)
            throws CommandException {
        SnapshotSource source = context.stores().snapshots();
        Waiting waiting = context.waiting(what);
        try {
            return until(source, Duration.ofDays(10_000), look)
                    .orElseThrow(() -> CommandException.failed("nothing happened"));
        } finally {
            waiting.close();
        }
    }

    /** What {@code look} finds first; absent if it finds nothing for too long. */
    static <T> Optional<T> until(SnapshotSource source, Duration limit, Function<Snapshot, Optional<T>> look)
            throws CommandException {
        CompletableFuture<T> found = new CompletableFuture<>();
        Runnable wake = () -> {
            try {
                source.current().flatMap(look).ifPresent(found::complete);
            } catch (RuntimeException e) {
                found.completeExceptionally(e);
            }
        };
        Subscription subscription = source.onChange(wake);
        try {
            wake.run();
            return Optional.of(found.get(limit.toSeconds(), TimeUnit.SECONDS));
        } catch (TimeoutException e) {
            return Optional.empty();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw CommandException.failed("interrupted");
        } catch (ExecutionException e) {
            throw CommandException.failed(String.valueOf(e.getCause()));
        } finally {
            subscription.close();
        }
    }
}
