package nodepool.api.store;

import java.util.Optional;
import java.util.concurrent.CompletionStage;
import org.osgi.annotation.versioning.ProviderType;

/** Always the latest {@link Snapshot}, kept up to date by watches. Thread-safe; nothing here blocks. */
@ProviderType
public interface SnapshotSource {

    /**
     * The latest snapshot. Absent while the store is out of reach, and after that until everything was read again: no
     * decision is made on stale data.
     */
    Optional<Snapshot> current();

    /** Completes with the first snapshot there is from now on. */
    CompletionStage<Snapshot> next();

    /**
     * Completes with a snapshot that shows everything that had happened in the store when this was called: every change of
     * anybody that the store took before the last operation of this process that has completed. One read.
     */
    CompletionStage<Snapshot> caughtUp();

    /**
     * Calls {@code wake} after every change of {@link #current()}, on the store's event thread: it must return at once and
     * only wake somebody. Closing the result ends it.
     */
    Subscription onChange(Runnable wake);

    /** The state of the connection, in words for an operator. */
    Status status();

    /**
     * @param connected whether the store answers and {@link #current()} is fresh
     * @param detail where to, and what is wrong if it is not connected
     */
    record Status(boolean connected, String detail) {}

    /** A registered callback. Closing it again does nothing. */
    @FunctionalInterface
    interface Subscription extends AutoCloseable {
        @Override
        void close();
    }
}
