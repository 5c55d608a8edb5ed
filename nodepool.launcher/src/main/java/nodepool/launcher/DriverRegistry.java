package nodepool.launcher;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import nodepool.api.driver.Driver;
import nodepool.api.store.SnapshotSource.Subscription;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;
import org.osgi.service.component.annotations.ReferenceCardinality;
import org.osgi.service.component.annotations.ReferencePolicy;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Which drivers are here right now. The one dynamic reference to drivers in the launcher. Of two with one name the first is
 * used until it is gone, as by the configuration, so that nobody gets the other's idea of what a provider is. Thread-safe.
 */
@Component(service = DriverRegistry.class)
public final class DriverRegistry {

    private static final Logger log = LoggerFactory.getLogger("nodepool.NodePool");

    /** In the order in which they came. */
    private final List<Driver> present = new CopyOnWriteArrayList<>();

    private final List<Runnable> wakes = new CopyOnWriteArrayList<>();

    @Reference(policy = ReferencePolicy.DYNAMIC, cardinality = ReferenceCardinality.MULTIPLE)
    void addDriver(Driver driver) {
        find(driver.name())
                .ifPresent(first -> log.warn(
                        "Driver {} is brought twice; {} is not used while {} is there",
                        driver.name(),
                        driver.getClass().getName(),
                        first.getClass().getName()));
        present.add(driver);
        wakes.forEach(Runnable::run);
    }

    void removeDriver(Driver driver) {
        present.remove(driver);
        wakes.forEach(Runnable::run);
    }

    /** The driver of that name, if it is here. */
    Optional<Driver> find(String name) {
        return present.stream().filter(driver -> driver.name().equals(name)).findFirst();
    }

    /** Whether it is that driver which is in use, not another of its name. */
    boolean isHere(Driver driver) {
        return find(driver.name()).filter(driver::equals).isPresent();
    }

    /** Calls {@code wake} whenever a driver came or went. */
    Subscription onChange(Runnable wake) {
        wakes.add(wake);
        return () -> wakes.remove(wake);
    }
}
