package nodepool.driver.metastatic;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import nodepool.api.driver.ProviderConfig;

/** An entry with {@code driver: metastatic}. */
record MetastaticConfig(
        String name,
        int maxConcurrency,
        int launchRetries,
        Duration launchTimeout,
        Duration bootTimeout,
        List<MetastaticPool> pools)
        implements ProviderConfig {

    MetastaticConfig {
        pools = List.copyOf(pools);
    }

    @Override
    public String driver() {
        return MetastaticDriver.METASTATIC;
    }

    /** Under this name backing nodes are requested and locked. Part of the contract with other launchers. */
    String owner() {
        return "NodePool:metastatic:" + name;
    }

    /** The label of that name in the first pool that has it: what concerns backing nodes is the same in all of them. */
    Optional<MetastaticLabel> backedLabel(String label) {
        return pools.stream()
                .flatMap(pool -> pool.labels().stream())
                .filter(each -> each.name().equals(label))
                .findFirst();
    }
}
