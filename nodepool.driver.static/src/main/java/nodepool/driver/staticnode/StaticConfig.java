package nodepool.driver.staticnode;

import java.util.List;
import nodepool.api.driver.ProviderConfig;

/** An entry with {@code driver: static}. */
record StaticConfig(String name, int maxConcurrency, List<StaticPool> pools) implements ProviderConfig {

    StaticConfig {
        pools = List.copyOf(pools);
    }

    @Override
    public String driver() {
        return StaticDriver.STATIC;
    }
}
