package nodepool.driver.staticnode;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.OptionalInt;
import java.util.Set;
import nodepool.api.driver.LabelConfig;
import nodepool.api.driver.PoolConfig;
import nodepool.api.json.JsonValue;
import nodepool.api.quota.QuotaInformation;

/**
 * A list of hosts with something in common.
 *
 * @param name unique within the provider
 * @param maxServers only whether it is positive matters
 * @param priority lower is preferred
 * @param nodeAttributes stored with each node
 * @param nodes the hosts
 */
record StaticPool(String name, OptionalInt maxServers, int priority, JsonValue nodeAttributes, List<StaticNode> nodes)
        implements PoolConfig {

    StaticPool {
        nodes = List.copyOf(nodes);
    }

    /** None: there are as many nodes as slots, whatever {@code max-servers} says. */
    @Override
    public QuotaInformation limits() {
        return QuotaInformation.UNLIMITED;
    }

    @Override
    public Set<String> labelNames() {
        Set<String> names = new LinkedHashSet<>();
        nodes.forEach(node -> names.addAll(node.labels()));
        return names;
    }

    @Override
    public List<LabelConfig> labels() {
        return List.of();
    }
}
