package nodepool.webapp.rest;

import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import nodepool.api.config.ConfigurationSource;
import nodepool.api.monitor.HealthCheck.Health;
import nodepool.api.monitor.MetricsText;
import nodepool.api.registry.ProviderStatus;
import nodepool.webapp.lists.SharedLists;
import nodepool.webapp.lists.SharedState;

/**
 * Where answers come from.
 *
 * @param lists the commands' lists
 * @param state ZooKeeper
 * @param configuration of this process
 * @param providers of this process
 * @param drivers names of those that are here
 * @param health of the parts of this process
 * @param metrics what was measured in this process
 */
public record Facts(
        SharedLists lists,
        SharedState state,
        ConfigurationSource configuration,
        Supplier<List<ProviderStatus.Provider>> providers,
        Supplier<List<String>> drivers,
        Supplier<List<Health>> health,
        Supplier<Optional<MetricsText>> metrics) {}
