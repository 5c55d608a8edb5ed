package nodepool.testkit.contract;

import java.util.concurrent.ScheduledExecutorService;
import nodepool.api.driver.Provider;
import nodepool.api.driver.ProviderConfig;
import nodepool.api.store.Snapshot;

/** A place that supplies machines, for one case of {@link GenerationContract}. */
public interface ProviderUnderTest extends AutoCloseable {

    /** A provider with at least one pool that has a label. */
    ProviderConfig config();

    /**
     * Makes a provider of this place, not started. Called again, it stands for a newer version of the driver.
     *
     * @param executor what its launcher lends it
     */
    Provider open(ScheduledExecutorService executor);

    /** The records of which the providers know. */
    Snapshot records();

    @Override
    default void close() {}
}
