package nodepool.api.event;

import org.osgi.annotation.versioning.ConsumerType;

/** Hears of events; registered as a service. Called on the thread that made the event: it must return at once. */
@ConsumerType
@FunctionalInterface
public interface EventListener {

    void on(Event event);
}
