package nodepool.launcher;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import nodepool.api.driver.Driver;
import nodepool.api.store.SnapshotSource.Subscription;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;
import org.osgi.service.component.annotations.ReferenceCardinality;
import org.osgi.service.component.annotations.ReferencePolicy;

/** Which drivers are here right now. The one dynamic reference to drivers in the launcher. */
@Component(service = DriverRegistry.class)
public final class DriverRegistry {

    private final Map<String, Driver> present = new ConcurrentHashMap<>();
    private final List<Runnable> wakes = new CopyOnWriteArrayList<>();

    @Reference(policy = ReferencePolicy.DYNAMIC, cardinality = ReferenceCardinality.MULTIPLE)
    void addDriver(Driver driver) {
        present.put(driver.name(), driver);
        wakes.forEach(Runnable::run);
    }

    /** During a swap the new driver may arrive before the old one leaves; only the old entry goes. */
    void removeDriver(Driver driver) {
        present.remove(driver.name(), driver);
        wakes.forEach(Runnable::run);
    }

    /** The driver of that name, if it is here. */
    Optional<Driver> find(String name) {
        return Optional.ofNullable(present.get(name));
    }

    /** Whether it is that driver which is here, not another of its name. */
    boolean isHere(Driver driver) {
        return driver.equals(present.get(driver.name()));
    }

    /** Calls {@code wake} whenever a driver came or went. */
    Subscription onChange(Runnable wake) {
        wakes.add(wake);
        return () -> wakes.remove(wake);
    }
}
