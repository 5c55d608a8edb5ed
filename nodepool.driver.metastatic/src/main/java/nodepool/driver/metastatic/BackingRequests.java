package nodepool.driver.metastatic;

import java.time.Duration;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Supplier;
import nodepool.api.driver.CloudException;
import nodepool.api.driver.ProviderContext;
import nodepool.api.request.NodeRequest;
import nodepool.api.store.Snapshot;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Our requests for backing nodes. They end with this process's session, so that a crash leaves none behind. Thread-safe; may
 * block.
 */
final class BackingRequests {

    private static final String PRIORITY = "100";
    private static final Duration LINGER = Duration.ofSeconds(30);
    private static final Logger log = LoggerFactory.getLogger(MetastaticDriver.LOGGER);

    private final MetastaticConfig config;
    private final ProviderContext context;
    private final Supplier<UUID> random;

    BackingRequests(MetastaticConfig config, ProviderContext context, Supplier<UUID> random) {
        this.config = config;
        this.context = context;
        this.random = random;
    }

    /** Asks for one more backing node. */
    NodeRequest create(MetastaticLabel label) throws CloudException {
        NodeRequest draft =
                Demand.draft(config, label, random.get(), context.clock().instant());
        NodeRequest made = Await.value(context.requests().create(draft, PRIORITY, true));
        log.info(
                "Requested a backing node of label {} for label {}: {}",
                label.backing().label(),
                label.name(),
                made.id());
        return made;
    }

    /** The request of that id, also if it is too young for the snapshot. */
    Optional<NodeRequest> find(String id, Snapshot snapshot) throws CloudException {
        Optional<NodeRequest> seen = snapshot.request(id);
        return seen.isPresent() ? seen : Await.value(context.requests().read(id));
    }

    /** Whether it has ended so long ago that everybody concerned has seen it, and nobody could take over its node. */
    boolean isOverdue(NodeRequest request) {
        return request.state().isFinal()
                && request.stateTime().plus(LINGER).isBefore(context.clock().instant());
    }

    /** Nothing is left to do about that request. If it was fulfilled and its node is not ours, that node becomes free. */
    void delete(NodeRequest request) throws CloudException {
        Await.value(context.requests().delete(request.id()));
    }

    /** Cancels what nobody waits for any more. */
    void cancelUnneeded(SlotTable table, Snapshot snapshot) throws CloudException {
        for (MetastaticPool pool : config.pools()) {
            for (MetastaticLabel label : pool.labels()) {
                Demand demand = Demand.of(
                        config, label, table, snapshot, context.clock().instant());
                for (NodeRequest request : demand.unneeded()) {
                    log.info(
                            "Nobody waits for a backing node of label {} any more: cancelling request {}",
                            label.backing().label(),
                            request.id());
                    delete(request);
                }
            }
        }
    }

    /** Deletes what has failed or cannot be claimed, and what was asked for a label that is not configured any more. */
    void sweep(Snapshot snapshot) throws CloudException {
        for (NodeRequest request : snapshot.requests()) {
            boolean orphan = Demand.label(config, request).isEmpty();
            if (Demand.isOurs(config, request) && (orphan || isOverdue(request))) {
                log.warn(
                        "Giving up request {} for a backing node, which is {}{}",
                        request.id(),
                        request.state().wireName(),
                        orphan ? ": its label is gone" : "");
                delete(request);
            }
        }
    }
}
