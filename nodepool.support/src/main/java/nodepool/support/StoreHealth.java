package nodepool.support;

import java.util.List;
import java.util.Optional;
import nodepool.api.config.Configuration;
import nodepool.api.config.ConfigurationSource;
import nodepool.api.config.Problem;
import nodepool.api.monitor.HealthCheck;
import nodepool.api.store.SnapshotSource;
import nodepool.api.store.Stores;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;

/** What everything else rests on: the configuration, and the connection to ZooKeeper. */
@Component
public final class StoreHealth implements HealthCheck {

    private final ConfigurationSource configuration;
    private final SnapshotSource snapshots;

    @Activate
    public StoreHealth(@Reference ConfigurationSource configuration, @Reference Stores stores) {
        this(configuration, stores.snapshots());
    }

    StoreHealth(ConfigurationSource configuration, SnapshotSource snapshots) {
        this.configuration = configuration;
        this.snapshots = snapshots;
    }

    @Override
    public List<Health> check() {
        return List.of(configurationNow(), zookeeperNow());
    }

    private Health configurationNow() {
        Optional<Configuration> current = configuration.current();
        List<Problem> problems = configuration.problems();
        if (current.isEmpty()) {
            return Health.failed("configuration", "none that could be used: " + problems.size() + " problems");
        }
        String facts = "%d providers, %d labels"
                .formatted(
                        current.get().providers().size(), current.get().labels().size());
        return problems.isEmpty()
                ? Health.ok("configuration", facts)
                : Health.degraded(
                        "configuration", facts + "; the file as it stands has " + problems.size() + " problems");
    }

    private Health zookeeperNow() {
        SnapshotSource.Status status = snapshots.status();
        return status.connected()
                ? Health.ok("zookeeper", status.detail())
                : Health.failed("zookeeper", status.detail());
    }
}
