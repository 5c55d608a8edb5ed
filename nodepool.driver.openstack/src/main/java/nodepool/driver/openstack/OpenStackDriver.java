package nodepool.driver.openstack;

import nodepool.api.config.Schema;
import nodepool.api.config.Section;
import nodepool.api.driver.Driver;
import nodepool.api.driver.LoadContext;
import nodepool.api.driver.Provider;
import nodepool.api.driver.ProviderConfig;
import nodepool.api.driver.ProviderContext;
import org.osgi.service.component.annotations.Component;

/** OpenStack as a driver. Reads and checks its configuration; it cannot serve providers yet. */
@Component(service = Driver.class, property = Driver.NAME + "=" + OpenStackDriver.WORD)
public final class OpenStackDriver implements Driver {

    static final String WORD = "openstack";

    @Override
    public String name() {
        return WORD;
    }

    @Override
    public Schema getSchema() {
        return OpenStackSchema.PROVIDER;
    }

    @Override
    public ProviderConfig getProviderConfig(Section provider, LoadContext load) {
        return new OpenStackConfigReader(load).read(provider);
    }

    @Override
    public Provider getProvider(ProviderConfig config, ProviderContext context) {
        throw new UnsupportedOperationException(
                "provider " + config.name() + ": the openstack driver cannot serve providers yet");
    }
}
