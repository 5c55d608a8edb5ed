package nodepool.builder;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import nodepool.api.event.Event;
import nodepool.api.event.EventListener;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;
import org.osgi.service.component.annotations.ReferenceCardinality;
import org.osgi.service.component.annotations.ReferencePolicy;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Passes events on to whoever listens right now. Listeners come and go with their bundles, hence the dynamic reference. */
@Component(service = EventBroadcast.class)
public final class EventBroadcast implements EventListener {

    private static final Logger log = LoggerFactory.getLogger("nodepool.Events");

    private final List<EventListener> listeners = new CopyOnWriteArrayList<>();

    @Reference(policy = ReferencePolicy.DYNAMIC, cardinality = ReferenceCardinality.MULTIPLE)
    void addListener(EventListener listener) {
        listeners.add(listener);
    }

    void removeListener(EventListener listener) {
        listeners.remove(listener);
    }

    @Override
    public void on(Event event) {
        for (EventListener listener : listeners) {
            try {
                listener.on(event);
            } catch (RuntimeException bug) {
                log.error("Listener {} failed on {}", listener.getClass().getName(), event, bug);
            }
        }
    }
}
