package nodepool.launcher;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import nodepool.api.config.Configuration;
import nodepool.api.driver.PoolConfig;
import nodepool.api.driver.ProviderConfig;
import nodepool.api.store.Snapshot;

/** Pools as a configuration describes them, before anybody has asked a cloud about them. Pure. */
final class ConfiguredPools {

    private ConfiguredPools() {}

    static List<PoolView> of(Configuration configuration, Snapshot snapshot) {
        List<PoolView> views = new ArrayList<>();
        configuration
                .providers()
                .forEach(entry -> entry.config()
                        .ifPresent(provider ->
                                provider.pools().forEach(pool -> views.add(view(provider, pool, snapshot)))));
        return views;
    }

    private static PoolView view(ProviderConfig provider, PoolConfig pool, Snapshot snapshot) {
        return new PoolView(
                provider.name() + "-" + pool.name(),
                provider.name(),
                pool,
                ProviderFacts.UNKNOWN,
                PoolViews.withoutUpload(snapshot, provider.name(), pool),
                Optional.empty(),
                !pool.labels().isEmpty(),
                List.of(),
                Map.of(),
                Map.of());
    }
}
