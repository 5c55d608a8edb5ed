package nodepool.metrics.source;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import nodepool.api.config.Configuration;
import nodepool.api.driver.PoolConfig;
import nodepool.api.driver.ProviderConfig;
import nodepool.api.quota.QuotaInformation;

/** The limits that the configuration sets. What is unlimited is left out. */
final class LimitGauges {

    private LimitGauges() {}

    /** Of the providers that this process serves. */
    static Map<Map<String, String>, Double> maxServers(Configuration configuration, OwnPools own) {
        Map<Map<String, String>, Double> limits = new HashMap<>();
        configuration.providers().stream()
                .filter(entry -> own.serves(entry.name()))
                .forEach(entry -> entry.config()
                        .map(LimitGauges::maxServers)
                        .filter(Double::isFinite)
                        .ifPresent(sum -> limits.put(Map.of("provider", entry.name()), sum)));
        return limits;
    }

    private static double maxServers(ProviderConfig provider) {
        double sum = 0;
        for (PoolConfig pool : provider.pools()) {
            OptionalInt servers = pool.maxServers();
            sum += servers.isPresent() ? Math.max(0, servers.getAsInt()) : Double.POSITIVE_INFINITY;
        }
        return sum;
    }

    static Map<Map<String, String>, Double> tenants(Configuration configuration) {
        Map<Map<String, String>, Double> limits = new HashMap<>();
        configuration
                .tenantLimits()
                .forEach((tenant, quota) -> names(quota)
                        .forEach(name -> limits.put(Map.of("tenant", tenant, "limit", name), quota.of(name))));
        limits.values().removeIf(limit -> Double.isInfinite(limit));
        return limits;
    }

    private static List<String> names(QuotaInformation quota) {
        return List.copyOf(quota.amounts().keySet());
    }
}
