package nodepool.zk;

import java.util.List;
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
import org.osgi.service.component.annotations.ReferenceCardinality;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Offers {@link Stores} as a service, connected as the configuration says. Another way to reach ZooKeeper makes another
 * service; whoever uses the old one is restarted by declarative services. What cannot work is tried again when the files are
 * read anew; until then the old connection stays.
 */
@Component(
        service = {},
        immediate = true)
public final class ZkComponent {

    private static final Logger log = LoggerFactory.getLogger("nodepool.zk.ZooKeeper");

    private final BundleContext context;
    private final ConfigurationSource configuration;
    private final List<Runnable> ends;
    private final Subscription subscription;
    private Optional<Means> means = Optional.empty();
    private Optional<ServiceRegistration<Stores>> service = Optional.empty();
    private Optional<Stores> stores = Optional.empty();

    /** @param ends how this program is ended as failed */
    @Activate
    public ZkComponent(
            BundleContext context,
            @Reference ConfigurationSource configuration,
            @Reference(target = "(nodepool.action=fail)", cardinality = ReferenceCardinality.MULTIPLE)
                    List<Runnable> ends) {
        this.context = context;
        this.ends = ends;
        this.configuration = configuration;
        this.subscription = configuration.onChange(this::follow);
        follow();
    }

    /** What a connection is made from. */
    private record Means(ZooKeeperConfig zookeeper, boolean registerLaunchers) {

        static Optional<Means> of(Configuration all) {
            return all.zookeeper()
                    .map(zookeeper -> new Means(zookeeper, all.compat().registerLaunchers()));
        }
    }

    private synchronized void follow() {
        Optional<Means> now = configuration.current().flatMap(Means::of);
        if (now.isEmpty() || now.equals(means)) {
            return;
        }
        Admission admission = Admission.asked();
        Stores made;
        try {
            made = new ZkStores(now.get().zookeeper(), admission, now.get().registerLaunchers());
        } catch (IllegalArgumentException unusable) {
            log.warn("ZooKeeper cannot be reached as configured: {}", unusable.getMessage());
            return;
        }
        admission.granted().exceptionally(refused -> {
            log.error("Nothing is done here: {}", refused.getMessage());
            ends.forEach(Runnable::run);
            return null;
        });
        withdraw();
        means = now;
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
