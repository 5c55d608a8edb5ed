package nodepool.api.driver;

import nodepool.api.config.Schema;
import nodepool.api.config.Section;
import org.osgi.annotation.versioning.ConsumerType;

/**
 * A kind of place that supplies machines. Registered as an OSGi service with the property {@link #NAME}; it may appear,
 * disappear and be replaced at any time. Everything that lives is in the {@link Provider}s it makes.
 *
 * <p>Thread-safe; nothing here blocks.
 */
@ConsumerType
public interface Driver {

    /** Service property holding {@link #name()}, the word after {@code driver:} in the configuration. */
    String NAME = "nodepool.driver";

    /** The word after {@code driver:} in the configuration. */
    String name();

    /** What may stand in this driver's entries under {@code providers}; starts from {@link Schema#commonProvider()}. */
    Schema getSchema();

    /**
     * Reads one entry. The section was checked against {@link #getSchema()}; what a schema cannot say is checked here and
     * reported to {@code load}. Must return a value even then; it is dropped if an error was reported.
     */
    ProviderConfig getProviderConfig(Section provider, LoadContext load);

    /**
     * Makes a provider for a configuration this driver has read. Does nothing else: {@link Provider#start()} comes later.
     */
    Provider getProvider(ProviderConfig config, ProviderContext context);
}
