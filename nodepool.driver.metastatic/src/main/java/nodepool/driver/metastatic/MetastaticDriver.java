package nodepool.driver.metastatic;

import java.util.UUID;
import nodepool.api.config.Schema;
import nodepool.api.config.Section;
import nodepool.api.driver.Driver;
import nodepool.api.driver.LoadContext;
import nodepool.api.driver.Provider;
import nodepool.api.driver.ProviderConfig;
import nodepool.api.driver.ProviderContext;

/** The driver {@code metastatic}. */
public class MetastaticDriver implements Driver {

    /** Its name. */
    public static final String METASTATIC = "metastatic";

    /** Name of the driver's logger, as in the original: operators may have set its level. */
    static final String LOGGER = "nodepool.driver.metastatic.MetastaticAdapter";

    @Override
    public String name() {
        return METASTATIC;
    }

    @Override
    public Schema getSchema() {
        return MetastaticSchema.PROVIDER;
    }

    @Override
    public ProviderConfig getProviderConfig(Section provider, LoadContext load) {
        return new MetastaticConfigReader(load).read(provider);
    }

    @Override
    public Provider getProvider(ProviderConfig config, ProviderContext context) {
        if (!(config instanceof MetastaticConfig ours)) {
            throw new IllegalArgumentException("provider " + config.name() + " was read by another driver: "
                    + config.getClass().getName());
        }
        return new MetastaticProvider(ours, context, UUID::randomUUID);
    }
}
