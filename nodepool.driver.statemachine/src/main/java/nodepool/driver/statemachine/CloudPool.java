package nodepool.driver.statemachine;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import nodepool.api.config.Section;
import nodepool.api.driver.LoadContext;
import nodepool.api.driver.PoolConfig;
import nodepool.api.json.JsonValue;
import nodepool.api.json.JsonValue.JsonNull;
import nodepool.api.quota.QuotaInformation;

/**
 * A pool as {@link CloudSchema} describes it.
 *
 * @param priority of the pool, or else of the provider
 * @param section the pool's
 */
public record CloudPool(int priority, Section section, List<CloudLabel> labels) implements PoolConfig {

    private static final Map<String, String> LIMITS = Map.of(
            "max-servers", QuotaInformation.INSTANCES,
            "max-cores", QuotaInformation.CORES,
            "max-ram", QuotaInformation.RAM,
            "max-volumes", QuotaInformation.VOLUMES,
            "max-volume-gb", QuotaInformation.VOLUME_GB);

    public CloudPool {
        labels = List.copyOf(labels);
    }

    static CloudPool read(Section provider, Section pool, LoadContext load) {
        List<CloudLabel> labels = new ArrayList<>();
        for (Section label : pool.sections("labels")) {
            labels.add(CloudLabel.read(provider, pool, label, load));
        }
        return new CloudPool(pool.integer("priority", provider.integer("priority", 100)), pool, labels);
    }

    @Override
    public String name() {
        return section.require("name");
    }

    @Override
    public OptionalInt maxServers() {
        return section.integer("max-servers");
    }

    @Override
    public QuotaInformation limits() {
        Map<String, Double> limits = new LinkedHashMap<>(section.numbers("max-resources"));
        LIMITS.forEach((key, resource) -> section.number(key).ifPresent(limit -> limits.put(resource, limit)));
        return QuotaInformation.limits(limits);
    }

    @Override
    public boolean ignoreProviderQuota() {
        return section.bool("ignore-provider-quota", false);
    }

    @Override
    public JsonValue nodeAttributes() {
        return section.json("node-attributes").orElse(JsonNull.NULL);
    }

    @Override
    public Set<String> labelNames() {
        Set<String> names = new LinkedHashSet<>();
        labels.forEach(label -> names.add(label.name()));
        return names;
    }

    /** Whether machines are reached at their private address. */
    public boolean useInternalIp() {
        return section.bool("use-internal-ip", false);
    }

    /** The configured zones; empty: the cloud's. */
    public List<String> zones() {
        return section.texts("azs");
    }
}
