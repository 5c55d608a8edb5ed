package nodepool.webapp;

import java.time.Clock;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import nodepool.api.config.ConfigurationSource;
import nodepool.api.driver.Driver;
import nodepool.api.event.EventListener;
import nodepool.api.listing.RecordList;
import nodepool.api.monitor.HealthCheck;
import nodepool.api.monitor.MetricsText;
import nodepool.api.registry.ProviderStatus;
import nodepool.api.store.SnapshotSource.Subscription;
import nodepool.api.store.Stores;
import nodepool.webapp.http.SafetyFilter;
import nodepool.webapp.lists.SharedLists;
import nodepool.webapp.lists.SharedState;
import nodepool.webapp.rest.Facts;
import nodepool.webapp.stream.ChangeFeed;
import org.osgi.framework.BundleContext;
import org.osgi.framework.ServiceRegistration;
import org.osgi.service.cm.ConfigurationAdmin;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Deactivate;
import org.osgi.service.component.annotations.Reference;
import org.osgi.service.component.annotations.ReferenceCardinality;
import org.osgi.service.component.annotations.ReferencePolicy;
import org.osgi.service.component.annotations.ReferencePolicyOption;

/**
 * Wires the pages and the port. With the framework property {@code nodepool.webapp=false} no port is opened; pages are
 * registered all the same, for a server that somebody else configures.
 */
@Component(
        service = {},
        immediate = true)
public final class WebAppComponent {

    private final SharedLists lists = new SharedLists();
    private final SharedState state = new SharedState();
    private final ChangeFeed feed = new ChangeFeed(lists, Clock.systemUTC());
    private final Collection<ProviderStatus> launchers = new CopyOnWriteArrayList<>();
    private final Collection<MetricsText> metrics = new CopyOnWriteArrayList<>();
    private final Collection<HealthCheck> checks = new CopyOnWriteArrayList<>();
    private final Collection<Driver> drivers = new CopyOnWriteArrayList<>();
    private final Map<Stores, Subscription> subscriptions = new ConcurrentHashMap<>();
    private final Whiteboard whiteboard;
    private final ServiceRegistration<EventListener> events;
    private final List<Port> ports;

    /** @param ends how this program is ended as failed */
    @Activate
    public WebAppComponent(
            BundleContext bundle,
            @Reference ConfigurationSource configuration,
            @Reference ConfigurationAdmin server,
            @Reference(target = "(nodepool.action=fail)", cardinality = ReferenceCardinality.MULTIPLE)
                    List<Runnable> ends) {
        this.whiteboard = new Whiteboard(bundle);
        whiteboard.filter(new SafetyFilter());
        Facts facts = new Facts(
                lists,
                state,
                configuration,
                this::providers,
                this::driverNames,
                this::health,
                () -> metrics.stream().findFirst());
        new Site(facts, feed, Clock.systemUTC())
                .servlets()
                .forEach((pattern, servlet) -> whiteboard.serve(servlet, pattern));
        this.events = bundle.registerService(EventListener.class, feed, null);
        this.ports = "false".equals(bundle.getProperty("nodepool.webapp"))
                ? List.of()
                : List.of(new Port(configuration, server, () -> ends.forEach(Runnable::run)));
    }

    private List<ProviderStatus.Provider> providers() {
        return launchers.stream().flatMap(one -> one.providers().stream()).toList();
    }

    private List<HealthCheck.Health> health() {
        return checks.stream().flatMap(check -> check.check().stream()).toList();
    }

    @Reference(policy = ReferencePolicy.DYNAMIC, cardinality = ReferenceCardinality.MULTIPLE)
    void addCheck(HealthCheck check) {
        checks.add(check);
    }

    void removeCheck(HealthCheck check) {
        checks.remove(check);
    }

    private List<String> driverNames() {
        return drivers.stream().map(Driver::name).sorted().toList();
    }

    @Reference(policy = ReferencePolicy.DYNAMIC, cardinality = ReferenceCardinality.MULTIPLE)
    void addDriver(Driver driver) {
        drivers.add(driver);
    }

    void removeDriver(Driver driver) {
        drivers.remove(driver);
    }

    @Reference(policy = ReferencePolicy.DYNAMIC, cardinality = ReferenceCardinality.MULTIPLE)
    void addMetrics(MetricsText text) {
        metrics.add(text);
    }

    void removeMetrics(MetricsText text) {
        metrics.remove(text);
    }

    @Reference(policy = ReferencePolicy.DYNAMIC, cardinality = ReferenceCardinality.MULTIPLE)
    void addList(RecordList list) {
        lists.add(list);
    }

    void removeList(RecordList list) {
        lists.remove(list);
    }

    @Reference(
            policy = ReferencePolicy.DYNAMIC,
            policyOption = ReferencePolicyOption.GREEDY,
            cardinality = ReferenceCardinality.OPTIONAL)
    void setStores(Stores stores) {
        state.set(stores);
        subscriptions.put(stores, stores.snapshots().onChange(() -> feed.wake(stores)));
        feed.wake(stores);
    }

    void unsetStores(Stores stores) {
        state.unset(stores);
        Optional.ofNullable(subscriptions.remove(stores)).ifPresent(Subscription::close);
    }

    @Reference(policy = ReferencePolicy.DYNAMIC, cardinality = ReferenceCardinality.MULTIPLE)
    void addLauncher(ProviderStatus launcher) {
        launchers.add(launcher);
    }

    void removeLauncher(ProviderStatus launcher) {
        launchers.remove(launcher);
    }

    @Deactivate
    void stop() {
        ports.forEach(Port::close);
        events.unregister();
        whiteboard.close();
        feed.close();
    }
}
