package nodepool.driver.staticnode;

import java.net.InetAddress;
import nodepool.api.config.Schema;
import nodepool.api.config.Section;
import nodepool.api.driver.Driver;
import nodepool.api.driver.LoadContext;
import nodepool.api.driver.Provider;
import nodepool.api.driver.ProviderConfig;
import nodepool.api.driver.ProviderContext;

/** The driver {@code static}. */
public class StaticDriver implements Driver {

    /** Its name. */
    public static final String STATIC = "static";

    @Override
    public String name() {
        return STATIC;
    }

    @Override
    public Schema getSchema() {
        return StaticSchema.PROVIDER;
    }

    @Override
    public ProviderConfig getProviderConfig(Section provider, LoadContext load) {
        return new StaticConfigReader(load).read(provider);
    }

    @Override
    public Provider getProvider(ProviderConfig config, ProviderContext context) {
        if (!(config instanceof StaticConfig ours)) {
            throw new IllegalArgumentException("provider " + config.name() + " was read by another driver: "
                    + config.getClass().getName());
        }
        return new StaticProvider(ours, context, InetAddress::getAllByName);
    }
}
