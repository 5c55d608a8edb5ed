package nodepool.driver.openstack;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.OptionalInt;
import java.util.Set;
import nodepool.api.driver.PoolConfig;
import nodepool.api.json.JsonValue;
import nodepool.api.quota.QuotaInformation;

/**
 * A part of the cloud.
 *
 * @param zones to choose from; empty: all the cloud has
 * @param networks of servers, unless their label has its own
 * @param autoFloatingIp whether servers that need one get a floating IP
 */
record OpenStackPool(
        String name,
        OptionalInt maxServers,
        int priority,
        QuotaInformation limits,
        boolean ignoreProviderQuota,
        JsonValue nodeAttributes,
        List<String> zones,
        List<String> networks,
        List<String> securityGroups,
        boolean autoFloatingIp,
        List<OpenStackLabel> labels)
        implements PoolConfig {

    /** The same, with nothing said of how much of it may be used, and when. */
    OpenStackPool withoutCapacity() {
        return new OpenStackPool(
                name,
                OptionalInt.empty(),
                0,
                QuotaInformation.UNLIMITED,
                ignoreProviderQuota,
                nodeAttributes,
                zones,
                networks,
                securityGroups,
                autoFloatingIp,
                labels);
    }

    OpenStackPool {
        zones = List.copyOf(zones);
        networks = List.copyOf(networks);
        securityGroups = List.copyOf(securityGroups);
        labels = List.copyOf(labels);
    }

    @Override
    public Set<String> labelNames() {
        Set<String> names = new LinkedHashSet<>();
        labels.forEach(label -> names.add(label.name()));
        return names;
    }
}
