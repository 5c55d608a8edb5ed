package nodepool.webapp.lists;

import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import nodepool.api.store.Snapshot;
import nodepool.api.store.Stores;
import nodepool.webapp.http.Refusal;
import org.jspecify.annotations.Nullable;

/** The connection to ZooKeeper, which comes, goes and is replaced. Thread-safe. */
public final class SharedState {

    private final AtomicReference<@Nullable Stores> stores = new AtomicReference<>();

    public void set(Stores now) {
        stores.set(now);
    }

    public void unset(Stores gone) {
        stores.compareAndSet(gone, null);
    }

    /** The connection, if one is configured. */
    public Optional<Stores> stores() {
        return Optional.ofNullable(stores.get());
    }

    /** The connection and what it shows. Throws a {@link Refusal} while there is nothing to show. */
    public View view() {
        Stores now = stores().orElseThrow(() -> Refusal.unavailable("no connection to ZooKeeper is configured"));
        Snapshot snapshot =
                now.snapshots().current().orElseThrow(() -> Refusal.unavailable("ZooKeeper is out of reach"));
        return new View(now, snapshot);
    }

    /** What is there at one moment. */
    public record View(Stores stores, Snapshot snapshot) {}
}
