package nodepool.driver.metastatic;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import nodepool.api.driver.PoolConfig;
import nodepool.api.json.JsonValue;
import nodepool.api.quota.QuotaInformation;

/** Labels with something in common. */
record MetastaticPool(
        String name, OptionalInt maxServers, int priority, JsonValue nodeAttributes, List<MetastaticLabel> labels)
        implements PoolConfig {

    MetastaticPool {
        labels = List.copyOf(labels);
    }

    /** {@code max-servers} counts slots in use, not backing nodes. */
    @Override
    public QuotaInformation limits() {
        return QuotaInformation.limits(
                maxServers.isPresent() ? Map.of(QuotaInformation.INSTANCES, (double) maxServers.getAsInt()) : Map.of());
    }

    @Override
    public Set<String> labelNames() {
        Set<String> names = new LinkedHashSet<>();
        labels.forEach(label -> names.add(label.name()));
        return names;
    }
}
