package nodepool.testkit.contract;

import java.util.List;
import java.util.Map;
import nodepool.api.driver.Provider;
import nodepool.api.driver.ProviderConfig;
import nodepool.api.driver.ProviderContext;

/** A cloud for one case of the kit: empty at first, and its driver. What it is asked past the driver is never broken. */
public interface CloudUnderTest extends AutoCloseable {

    /** A provider with a pool that has a label whose machines can be made; the first of each is used. */
    ProviderConfig config();

    /**
     * Makes a provider of this cloud, not started. Called again, it stands for a restarted launcher or a newer version of
     * the driver. A call to the cloud must be given up after at most a few seconds, or cases without an answer fail.
     */
    Provider open(ProviderContext context);

    /** The machines that exist, asked past the driver. */
    List<Machine> machines();

    /** Makes a machine past the driver, as others do. */
    void plant(Map<String, String> metadata);

    /** Removes a machine past the driver. */
    void remove(String id);

    @Override
    default void close() {}

    /** Something in the cloud, by its id. */
    record Machine(String id, Map<String, String> metadata) {
        public Machine {
            metadata = Map.copyOf(metadata);
        }
    }
}
