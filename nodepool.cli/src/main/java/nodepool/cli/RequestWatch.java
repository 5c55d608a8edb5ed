package nodepool.cli;

import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import nodepool.api.request.NodeRequest;
import nodepool.api.store.SnapshotSource;
import nodepool.api.store.SnapshotSource.Subscription;

/** Waits until a request is answered, woken by changes of the shared state. */
final class RequestWatch {

    private final SnapshotSource snapshots;
    private final String id;
    private final CompletableFuture<Optional<NodeRequest>> end = new CompletableFuture<>();
    private volatile boolean seen;

    RequestWatch(SnapshotSource snapshots, String id) {
        this.snapshots = snapshots;
        this.id = id;
    }

    NodeRequest await() throws CommandException {
        Subscription subscription = snapshots.onChange(this::look);
        try {
            look();
            return end.get().orElseThrow(() -> new CommandException(1, "Request " + id + " was removed"));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new CommandException(1, "interrupted");
        } catch (ExecutionException e) {
            throw new CommandException(1, String.valueOf(e.getCause()));
        } finally {
            subscription.close();
        }
    }

    private void look() {
        snapshots.current().ifPresent(now -> {
            Optional<NodeRequest> request = now.request(id);
            if (request.isEmpty() && seen) {
                end.complete(Optional.empty());
            }
            seen |= request.isPresent();
            request.filter(one -> one.state().isFinal()).ifPresent(one -> end.complete(Optional.of(one)));
        });
    }
}
