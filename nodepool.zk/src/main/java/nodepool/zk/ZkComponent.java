package nodepool.zk;

import java.util.Optional;
import nodepool.api.config.Configuration;
import nodepool.api.config.ConfigurationSource;
import nodepool.api.config.ZooKeeperConfig;
import nodepool.api.store.SnapshotSource.Subscription;
import nodepool.api.store.Stores;
import org.osgi.framework.BundleContext;
import org.osgi.framework.ServiceRegistration;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Deactivate;
import org.osgi.service.component.annotations.Reference;

/**
 * Offers {@link Stores} as a service, connected as the configuration says. Another way to reach ZooKeeper makes another
 * service; whoever uses the old one is restarted by declarative services.
 */
@Component(
        service = {},
        immediate = true)
public final class ZkComponent {

    private final BundleContext context;
    private final ConfigurationSource configuration;
    private final Subscription subscription;
    private Optional<ZooKeeperConfig> config = Optional.empty();
    private Optional<ServiceRegistration<Stores>> service = Optional.empty();
    private Optional<Stores> stores = Optional.empty();

    @Activate
    public ZkComponent(BundleContext context, @Reference ConfigurationSource configuration) {
        this.context = context;
        this.configuration = configuration;
        this.subscription = configuration.onChange(this::follow);
        follow();
    }

    private synchronized void follow() {
        Optional<ZooKeeperConfig> now = configuration.current().flatMap(Configuration::zookeeper);
        if (now.isEmpty() || now.equals(config)) {
            return;
        }
        withdraw();
        config = now;
        Stores made = new ZkStores(now.get());
        stores = Optional.of(made);
        service = Optional.of(context.registerService(Stores.class, made, null));
    }

    private void withdraw() {
        service.ifPresent(ServiceRegistration::unregister);
        stores.ifPresent(Stores::close);
        service = Optional.empty();
        stores = Optional.empty();
    }

    @Deactivate
    synchronized void stop() {
        subscription.close();
        withdraw();
    }
}
