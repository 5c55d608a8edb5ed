package nodepool.driver.staticnode;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import nodepool.api.driver.ProviderContext;
import nodepool.api.node.Node;
import nodepool.api.store.Snapshot;
import nodepool.driver.staticnode.SlotTable.Filled;
import nodepool.driver.staticnode.SlotTable.Slot;
import nodepool.driver.staticnode.StaticNode.Identity;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps the records of one provider in step with its configuration and the state of its hosts. Every pass compares all of
 * that anew, so an event only has to wake it. Everything mutable here is confined to one {@link Lane}.
 */
final class SlotKeeper {

    private static final Duration FIRST_RETRY = Duration.ofSeconds(5);
    private static final Duration LONGEST_RETRY = Duration.ofSeconds(60);
    private static final Logger log = LoggerFactory.getLogger("nodepool.driver.static");

    private final StaticConfig config;
    private final ProviderContext context;
    private final HostCheck check;
    private final Lane lane;
    private final RecordWriter writer;
    private final Map<Identity, Host> hosts = new LinkedHashMap<>();
    private final Set<Slot> registering = new HashSet<>();
    private final Map<String, Node> unseen = new HashMap<>();
    private final Set<String> excessTold = new HashSet<>();
    private final AtomicBoolean woken = new AtomicBoolean();
    private volatile List<HostState> states;
    private volatile boolean settled;
    private volatile boolean idle;

    /** A configured entry and what is known of it. */
    private static final class Host {
        private final StaticPool pool;
        private final StaticNode node;
        private HostState state;
        private Optional<HostCheck.Found> found = Optional.empty();
        private boolean checking;
        private Future<?> retry = CompletableFuture.completedFuture(null);

        Host(StaticPool pool, StaticNode node) {
            this.pool = pool;
            this.node = node;
            this.state = HostState.unknown(node.identity());
        }
    }

    SlotKeeper(StaticConfig config, ProviderContext context, HostCheck check) {
        this.config = config;
        this.context = context;
        this.check = check;
        this.lane = new Lane(context.executor());
        this.writer = new RecordWriter(context, lane, () -> idle, this::wake);
        for (StaticPool pool : config.pools()) {
            pool.nodes().forEach(node -> hosts.put(node.identity(), new Host(pool, node)));
        }
        this.states = hosts.values().stream().map(host -> host.state).toList();
    }

    /**
     * Begins when everything is seen that the generation before this one has asked of the store. The first answer comes after
     * that was done, and the changes are being read by then; the second one comes after they were read. Never blocks.
     */
    void start() {
        context.snapshots()
                .caughtUp()
                .thenCompose(done -> context.snapshots().caughtUp())
                .whenComplete((seen, lost) -> {
                    settled = true; // If the session is lost, everything is read anew anyway.
                    wake();
                });
    }

    /** Looks at everything again, soon. Never blocks. */
    void wake() {
        if (woken.compareAndSet(false, true)) {
            lane.post(this::pass);
        }
    }

    /** From now on nothing is registered, changed or removed; what is under way in the store may still end. */
    void idle() {
        synchronized (registering) {
            idle = true;
        }
        lane.post(() -> hosts.values().forEach(host -> host.retry.cancel(false)));
    }

    /** Every configured host, in the order of the file. */
    List<HostState> hostStates() {
        return states;
    }

    /** A host did not answer when it was about to be used. */
    void unreachable(StaticNode node, Throwable failure) {
        lane.post(() -> {
            Host host = hosts.get(node.identity());
            if (host != null && !idle && host.state.status() != HostState.Status.ABSENT) {
                absent(host, failure);
                wake();
            }
        });
    }

    /** A node's record is gone, whatever the snapshots have shown of it. */
    void gone(String id) {
        lane.post(() -> {
            unseen.remove(id);
            wake();
        });
    }

    private void pass() {
        woken.set(false);
        Optional<Snapshot> snapshot = context.snapshots().current();
        if (idle || !settled || snapshot.isEmpty()) {
            return;
        }
        unseen.keySet().removeIf(id -> snapshot.get().node(id).isPresent());
        writer.seen(snapshot.get());
        SlotTable table = table(snapshot.get());
        for (Host host : hosts.values()) {
            if (host.state.status() == HostState.Status.ABSENT) {
                remove(table.filled(host.node.identity()), snapshot.get());
            } else if (!host.checking) {
                host.found.ifPresent(found -> update(host, found, table, snapshot.get()));
                if (host.found.isEmpty() || !unregistered(host, table).isEmpty()) {
                    check(host);
                }
            }
        }
        table.excess().stream()
                .filter(record -> hosts.containsKey(record.slot().identity()))
                .filter(record -> excessTold.add(record.node().id()))
                .forEach(record -> log.warn(
                        "Tracking excess node {} as {} slot {}",
                        record.node().id(),
                        record.slot().identity(),
                        record.slot().number()));
        remove(table.excess(), snapshot.get());
    }

    private SlotTable table(Snapshot snapshot) {
        Collection<Node> records = new ArrayList<>(snapshot.nodesOf(config.name()));
        records.addAll(unseen.values());
        return SlotTable.of(hosts.values().stream().map(host -> host.node).toList(), records);
    }

    private List<Slot> unregistered(Host host, SlotTable table) {
        return table.empty(host.node.identity()).stream()
                .filter(slot -> !registering.contains(slot))
                .toList();
    }

    private void check(Host host) {
        host.checking = true;
        check.beforeRegistration(host.node)
                .whenComplete((found, failure) -> lane.post(() -> {
                    host.checking = false;
                    if (!idle) {
                        checked(host, found, failure);
                    }
                }));
    }

    private void checked(Host host, HostCheck.@Nullable Found found, @Nullable Throwable failure) {
        if (found == null) {
            absent(host, failure == null ? new IllegalStateException("the check ended without a result") : failure);
        } else {
            if (host.state.status() == HostState.Status.ABSENT) {
                log.info("Static host {} of {} is back", host.node.identity(), config.name());
            }
            host.found = Optional.of(found);
            publish(host, host.state.present());
            context.snapshots()
                    .current()
                    .map(this::table)
                    .ifPresent(table -> unregistered(host, table).forEach(slot -> register(host, slot, found)));
        }
        wake();
    }

    private void absent(Host host, Throwable failure) {
        String reason = reason(failure);
        boolean news = host.state.status() != HostState.Status.ABSENT
                || !host.state.reason().equals(reason);
        publish(host, host.state.absent(reason));
        host.found = Optional.empty();
        Duration wait = retry(host.state.failures());
        if (news) {
            log.warn(
                    "Static host {} of {} cannot be used: {}; trying again in {} s, then less and less often",
                    host.node.identity(),
                    config.name(),
                    reason,
                    wait.toSeconds());
        }
        host.retry.cancel(false);
        try {
            host.retry = context.executor()
                    .schedule(() -> lane.post(() -> recheck(host)), wait.toMillis(), TimeUnit.MILLISECONDS);
        } catch (RejectedExecutionException over) {
            log.debug("The provider has ended; {} is not checked again", host.node.identity());
        }
    }

    private void recheck(Host host) {
        if (!idle && !host.checking) {
            check(host);
        }
    }

    private static Duration retry(int failures) {
        Duration wait = FIRST_RETRY.multipliedBy(1L << Math.min(failures - 1, 10));
        return wait.compareTo(LONGEST_RETRY) > 0 ? LONGEST_RETRY : wait;
    }

    private void publish(Host host, HostState state) {
        host.state = state;
        states = hosts.values().stream().map(each -> each.state).toList();
    }

    private void register(Host host, Slot slot, HostCheck.Found found) {
        Node draft = SlotRecord.draft(
                config.name(),
                host.pool,
                host.node,
                slot.number(),
                found,
                context.clock().instant());
        CompletionStage<Node> record;
        synchronized (
                registering) { // The next generation counts on what was asked of the store before this one was idle.
            if (idle) {
                return;
            }
            registering.add(slot);
            record = context.nodes().create(draft);
        }
        record.whenComplete((created, failure) -> lane.post(() -> {
            registering.remove(slot);
            if (created == null) {
                log.warn("Cannot register {} slot {}: {}", slot.identity(), slot.number(), reason(failure));
                return;
            }
            log.info("Registered static node {}: {} slot {}", created.id(), slot.identity(), slot.number());
            unseen.put(created.id(), created);
            wake();
        }));
    }

    private void update(Host host, HostCheck.Found found, SlotTable table, Snapshot snapshot) {
        for (Filled record : table.filled(host.node.identity())) {
            int slot = record.slot().number();
            if (record.isFree()) {
                writer.update(
                        record.node().id(),
                        node -> SlotRecord.rewritten(node, config.name(), host.pool, host.node, slot, found),
                        snapshot);
            }
        }
    }

    private void remove(List<Filled> records, Snapshot snapshot) {
        records.stream()
                .filter(Filled::isFree)
                .forEach(record -> writer.deregister(record.node().id(), snapshot));
    }

    private static String reason(@Nullable Throwable failure) {
        Throwable cause = failure;
        while (cause instanceof CompletionException && cause.getCause() != null && cause.getCause() != cause) {
            cause = cause.getCause();
        }
        if (cause instanceof java.net.UnknownHostException) {
            return "the name cannot be resolved";
        }
        return cause == null
                ? "unknown"
                : Optional.ofNullable(cause.getMessage()).orElse(cause.toString());
    }

    /**
     * Forgets records that were registered but never showed up in a snapshot because somebody removed them at once.
     * Part of the slow periodic upkeep.
     */
    void lookForLostRecords() {
        lane.post(() -> List.copyOf(unseen.keySet())
                .forEach(id -> context.nodes().read(id).thenAccept(found -> {
                    if (found.isEmpty()) {
                        gone(id);
                    }
                })));
        wake();
    }
}
