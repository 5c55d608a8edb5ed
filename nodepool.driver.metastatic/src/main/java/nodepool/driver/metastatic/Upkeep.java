package nodepool.driver.metastatic;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import nodepool.api.driver.CloudException;
import nodepool.api.driver.ProviderContext;
import nodepool.api.driver.ProviderNotifications;
import nodepool.api.node.Node;
import nodepool.api.store.Snapshot;
import nodepool.driver.metastatic.MetastaticLabel.Backing;
import nodepool.driver.metastatic.Retention.Verdict;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Retires and gives back backing nodes, and cancels requests nobody waits for. It does so when a node is gone, when a backing
 * node's time is up, and now and then. Thread-safe.
 */
final class Upkeep implements ProviderNotifications {

    private static final Logger log = LoggerFactory.getLogger(MetastaticDriver.LOGGER);

    private final MetastaticConfig config;
    private final ProviderContext context;
    private final BackingNodes nodes;
    private final BackingRequests requests;
    private final Strays strays;
    private final Instant begun;
    private final AtomicBoolean awake = new AtomicBoolean();
    private Instant planned = Instant.MAX;
    private volatile Runnable cancelPlan = () -> {};
    private volatile boolean over;

    Upkeep(MetastaticConfig config, ProviderContext context, BackingNodes nodes, BackingRequests requests) {
        this.config = config;
        this.context = context;
        this.nodes = nodes;
        this.requests = requests;
        this.strays = new Strays(config, context, nodes);
        this.begun = context.clock().instant();
    }

    /** From now on nothing is done any more, and nothing is planned. Returns at once. */
    void stop() {
        over = true;
        cancelPlan.run();
    }

    /** Has a pass made soon on one of the provider's threads, one for any number of calls until then. Returns at once. */
    void wake() {
        if (awake.compareAndSet(false, true)) {
            later(Duration.ZERO, () -> {
                awake.set(false);
                now(this::pass);
            });
        }
    }

    /** With a node its need for a backing node, or the use of one, may have ended. */
    @Override
    public void nodeDeletedNotification(Node node) {
        wake();
    }

    /** The clean-up after an attempt notices this too, but there is none after the last attempt. */
    @Override
    public void nodescanFailedNotification(Node node) {
        Optional<SlotNote> seat = SlotNote.of(node);
        if (seat.isPresent()) {
            later(Duration.ZERO, () -> now(snapshot -> failed(seat.get().backingNode(), node.id(), snapshot)));
        }
    }

    /** That node could not be used on that backing node. May block. */
    void failed(String backing, String node, Snapshot snapshot) throws CloudException {
        nodes.failed(backing, node, snapshot);
        wake();
    }

    /** Something to be done with the snapshot of that moment. */
    @FunctionalInterface
    private interface Work {
        void with(Snapshot snapshot) throws CloudException;
    }

    /** @return cancels it */
    private Runnable later(Duration pause, Runnable task) {
        try {
            ScheduledFuture<?> scheduled = context.executor().schedule(task, pause.toMillis(), TimeUnit.MILLISECONDS);
            return () -> scheduled.cancel(false);
        } catch (RejectedExecutionException ended) {
            log.debug("Provider {} has ended", config.name());
            return () -> {};
        }
    }

    private void now(Work work) {
        try {
            Optional<Snapshot> current = context.snapshots().current();
            if (current.isPresent()) {
                work.with(current.get());
            }
        } catch (CloudException failure) {
            log.warn("Could not look after the backing nodes of {}: {}", config.name(), failure.getMessage());
        } catch (RuntimeException bug) {
            log.error("Could not look after the backing nodes of {}", config.name(), bug);
        }
    }

    /** Looks at everything once. May block. */
    synchronized void pass(Snapshot snapshot) throws CloudException {
        if (over) {
            return;
        }
        strays.collect(snapshot);
        SlotTable table = nodes.table(snapshot);
        Instant next = Instant.MAX;
        for (BackingNode node : table.backing()) {
            Instant due = judge(node, snapshot);
            next = due.isBefore(next) ? due : next;
        }
        requests.cancelUnneeded(table, snapshot);
        requests.sweep(snapshot);
        plan(next);
    }

    /**
     * Deletes slots that nobody uses and gives back backing nodes without a slot in use. May block.
     *
     * @return whether no backing node is left
     */
    synchronized boolean drain(Snapshot snapshot) throws CloudException {
        if (over) {
            return true;
        }
        strays.deleteUnused(snapshot);
        SlotTable table = nodes.table(snapshot);
        for (BackingNode node : table.backing()) {
            if (node.isEmpty()) {
                nodes.release(node.id(), idle(node), snapshot);
            }
        }
        return table.backing().isEmpty();
    }

    private Duration idle(BackingNode node) {
        Instant now = context.clock().instant();
        return Duration.between(node.use().lastUsed().orElse(node.use().launched()), now);
    }

    /** @return when to look at that node again */
    private Instant judge(BackingNode node, Snapshot snapshot) throws CloudException {
        Optional<Backing> label = config.backedLabel(node.use().label()).map(MetastaticLabel::backing);
        Verdict verdict = Retention.judge(node, label, begun, context.clock().instant());
        if (verdict instanceof Verdict.Retire) {
            log.info("Backing node {} is over its age and gets no more nodes", node.id());
            nodes.retire(node.id(), snapshot);
        } else if (verdict instanceof Verdict.Release release) {
            nodes.release(node.id(), release.idle(), snapshot);
        } else if (verdict instanceof Verdict.Keep keep) {
            return keep.until().orElse(Instant.MAX);
        }
        return Instant.MAX;
    }

    private void plan(Instant next) {
        if (next.equals(planned)) {
            return;
        }
        planned = next;
        cancelPlan.run();
        if (!next.equals(Instant.MAX)) {
            Duration pause = Duration.between(context.clock().instant(), next).plusMillis(1);
            cancelPlan = later(pause, this::wake);
        }
        if (over) {
            cancelPlan.run();
        }
    }
}
