package nodepool.driver.openstack;

import java.time.Duration;
import java.util.Set;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import nodepool.api.driver.CloudException;
import nodepool.api.event.Event;
import nodepool.api.event.EventListener;
import nodepool.driver.openstack.cloud.Networking;
import nodepool.driver.openstack.cloud.Networking.Port;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Removes ports that stay down: those that are so in two looks which are the configured time apart. They carry no mark, so
 * those of others in the same project are removed as well. Thread-safe.
 */
final class PortSweep {

    private static final Logger log = LoggerFactory.getLogger("nodepool.driver.openstack");

    private final String provider;
    private final Networking networking;
    private final long intervalNanos;
    private final LongSupplier nanoTime;
    private final EventListener events;
    private Set<String> down = Set.of();
    private boolean looked;
    private long lastLook;

    /**
     * @param interval between two looks; zero: never
     * @param events told of every port that was removed
     */
    PortSweep(String provider, Networking networking, Duration interval, LongSupplier nanoTime, EventListener events) {
        this.events = events;
        this.provider = provider;
        this.networking = networking;
        this.intervalNanos = interval.toNanos();
        this.nanoTime = nanoTime;
    }

    /** Looks, if it is time to, and removes what was down the last time already. */
    synchronized int sweep() throws CloudException {
        if (intervalNanos <= 0 || (looked && nanoTime.getAsLong() - lastLook < intervalNanos)) {
            return 0;
        }
        int removed = 0;
        if (looked) {
            for (String port : portsDown()) {
                if (down.contains(port) && remove(port)) {
                    removed++;
                }
            }
        }
        down = portsDown();
        looked = true;
        lastLook = nanoTime.getAsLong();
        return removed;
    }

    private boolean remove(String port) {
        log.warn("Deleting port {} of provider {}: it stays down", port, provider);
        try {
            networking.deletePort(port);
            events.on(new Event.LeakRemoved(provider, "ports", port));
            return true;
        } catch (CloudException e) {
            log.warn("Could not delete port {}: {}", port, e.getMessage());
            return false;
        }
    }

    private Set<String> portsDown() throws CloudException {
        return networking.portsDown().stream()
                .filter(port -> port.owner().isEmpty() || port.owner().startsWith("compute:"))
                .map(Port::id)
                .collect(Collectors.toSet());
    }
}
