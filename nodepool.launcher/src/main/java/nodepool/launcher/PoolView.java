package nodepool.launcher;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import nodepool.api.driver.PoolConfig;
import nodepool.api.quota.QuotaInformation;
import nodepool.api.registry.Registration;
import nodepool.api.verdict.Reason;

/**
 * Everything a pool's answer depends on, besides the request.
 *
 * @param launcherId of this pool
 * @param provider its name
 * @param pool its configuration
 * @param facts what is known of the provider
 * @param unready labels whose managed image has no ready upload, with the reason
 * @param trouble why nothing can be launched right now
 * @param launches whether the provider can launch at all
 * @param others every registered pool, this one among them
 * @param tenantRoom what is left to tenants that have a limit
 * @param minReady by label, how much stock is wanted
 */
record PoolView(
        String launcherId,
        String provider,
        PoolConfig pool,
        ProviderFacts facts,
        Map<String, Reason> unready,
        Optional<Reason> trouble,
        boolean launches,
        List<Registration.Pool> others,
        Map<String, QuotaInformation> tenantRoom,
        Map<String, Integer> minReady) {

    PoolView {
        unready = Map.copyOf(unready);
        others = List.copyOf(others);
        tenantRoom = Map.copyOf(tenantRoom);
        minReady = Map.copyOf(minReady);
    }

    Set<String> labels() {
        return pool.labelNames();
    }
}
