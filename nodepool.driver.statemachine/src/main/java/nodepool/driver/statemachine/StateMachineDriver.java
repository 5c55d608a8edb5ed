package nodepool.driver.statemachine;

import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import nodepool.api.config.Schema;
import nodepool.api.config.Section;
import nodepool.api.driver.Driver;
import nodepool.api.driver.LoadContext;
import nodepool.api.driver.PoolConfig;
import nodepool.api.driver.Provider;
import nodepool.api.driver.ProviderConfig;
import nodepool.api.driver.ProviderContext;

/**
 * A driver of which the author writes the {@link Adapter} and the keys of the configuration that only this cloud has. A
 * subclass is registered as a service with the property {@link Driver#NAME}, and named in {@code
 * META-INF/services/nodepool.api.driver.Driver} for the command line.
 */
public abstract class StateMachineDriver implements Driver {

    private final String name;
    private final CloudSchema schema;

    /**
     * @param name the word after {@code driver:} in the configuration
     * @param schema {@link CloudSchema#USUAL} with the author's keys
     */
    protected StateMachineDriver(String name, CloudSchema schema) {
        this.name = name;
        this.schema = schema;
    }

    /** The calls to one cloud. Must not block; a connection is opened with the first call. */
    protected abstract Adapter getAdapter(CloudConfig config, ProviderContext context);

    @Override
    public final String name() {
        return name;
    }

    @Override
    public final Schema getSchema() {
        return schema.schema();
    }

    @Override
    public final ProviderConfig getProviderConfig(Section provider, LoadContext load) {
        return CloudConfig.read(name, provider, load);
    }

    @Override
    public final Provider getProvider(ProviderConfig config, ProviderContext context) {
        return new StateMachineProvider(
                config.name(),
                getAdapter((CloudConfig) config, context),
                context,
                StateMachineDriver::zones,
                bound -> ThreadLocalRandom.current().nextInt(bound));
    }

    private static List<String> zones(PoolConfig pool) {
        return ((CloudPool) pool).zones();
    }
}
