package nodepool.api.driver;

import java.time.Clock;
import java.util.concurrent.ScheduledExecutorService;
import nodepool.api.event.EventListener;
import nodepool.api.store.NodeStore;
import nodepool.api.store.RequestStore;
import nodepool.api.store.SnapshotSource;

/**
 * What a launcher lends to a provider for its life.
 *
 * @param snapshots the shared state, to read
 * @param nodes the nodes, to change; most providers leave that to the launcher
 * @param requests the requests, to make one's own; only drivers that use nodes of other providers need them
 * @param scanner gathers host keys
 * @param clock the time
 * @param executor this provider's own bounded threads, for calls that block; ends with the provider
 * @param changed tells the launcher that something it may ask about has changed: quota, readiness of labels, free slots.
 *     Returns at once
 * @param events told of what happens in the provider
 * @param redaction takes the provider's credentials out of what is said
 */
public record ProviderContext(
        SnapshotSource snapshots,
        NodeStore nodes,
        RequestStore requests,
        HostKeyScanner scanner,
        Clock clock,
        ScheduledExecutorService executor,
        Runnable changed,
        EventListener events,
        Redaction redaction) {

    /** For a provider that has no credentials in the configuration. */
    public ProviderContext(
            SnapshotSource snapshots,
            NodeStore nodes,
            RequestStore requests,
            HostKeyScanner scanner,
            Clock clock,
            ScheduledExecutorService executor,
            Runnable changed,
            EventListener events) {
        this(snapshots, nodes, requests, scanner, clock, executor, changed, events, Redaction.NONE);
    }

    /** For a provider whose events nobody wants to hear. */
    public ProviderContext(
            SnapshotSource snapshots,
            NodeStore nodes,
            RequestStore requests,
            HostKeyScanner scanner,
            Clock clock,
            ScheduledExecutorService executor,
            Runnable changed) {
        this(snapshots, nodes, requests, scanner, clock, executor, changed, event -> {});
    }
}
