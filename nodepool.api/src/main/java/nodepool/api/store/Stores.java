package nodepool.api.store;

import nodepool.api.config.ZooKeeperConfig;
import nodepool.api.registry.ComponentRegistry;
import org.osgi.annotation.versioning.ProviderType;

/** One connection to the shared state, and everything that can be done through it. Thread-safe. */
@ProviderType
public interface Stores extends AutoCloseable {

    SnapshotSource snapshots();

    RequestStore requests();

    NodeStore nodes();

    ImageStore images();

    ImageMarks imageMarks();

    ImageArchive imageArchive();

    ProviderMarks providerMarks();

    ComponentRegistry components();

    AccountStore accounts();

    /** Ends the session: releases every lock and registration. Bounded to a few seconds; repeating it does nothing. */
    @Override
    void close();

    /** Opens connections. Found as an OSGi service, or with {@link java.util.ServiceLoader} outside of OSGi. */
    @ProviderType
    interface Connector {

        /**
         * Starts to connect and returns at once. An unreachable store is retried with back-off until closed; see
         * {@link SnapshotSource#status()}.
         *
         * @throws IllegalArgumentException if the configuration cannot work, naming what is wrong
         */
        Stores connect(ZooKeeperConfig config);
    }
}
