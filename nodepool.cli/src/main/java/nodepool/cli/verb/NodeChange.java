package nodepool.cli.verb;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import nodepool.api.node.Node;
import nodepool.api.store.LockedNode;
import nodepool.api.store.Snapshot;
import nodepool.api.store.Stores;
import nodepool.cli.options.Mistake;

/** Changes one node under its lock and shows it afterwards. */
final class NodeChange {

    /** How long to wait for a lock that somebody has. */
    private static final Duration PATIENCE = Duration.ofSeconds(5);

    /** What becomes of the node. */
    @FunctionalInterface
    interface Step {
        Node apply(Node node) throws CommandException;
    }

    private NodeChange() {}

    /** The id as stored: {@code 42} means {@code 0000000042}. */
    static String fullId(String typed) {
        return typed.matches("\\d{1,9}") ? "0".repeat(10 - typed.length()) + typed : typed;
    }

    /** The node that was named, as everybody sees it now. */
    static Node find(Call call) throws CommandException {
        String typed = call.arguments().word();
        return call.context().snapshot().node(fullId(typed)).orElseThrow(() -> notFound(typed));
    }

    /** Makes the change, and returns the node as stored. */
    static Node make(Call call, Step step) throws CommandException {
        Node seen = find(call);
        Stores stores = call.context().stores();
        LockedNode locked = lock(call, seen);
        boolean done = false;
        try {
            Node changed = step.apply(locked.node());
            done = true;
            if (!call.context().await(stores.nodes().finish(locked.with(changed)))) {
                throw notFound(call.arguments().word());
            }
            return changed;
        } finally {
            if (!done) {
                call.context().await(stores.nodes().unlock(locked.lock()));
            }
        }
    }

    /** Prints the one row. */
    static void print(Node node, Call call) throws Mistake {
        NodeRow.print(List.of(new NodeRow(node, false, call.now())), call);
    }

    private static LockedNode lock(Call call, Node node) throws CommandException {
        Stores stores = call.context().stores();
        String id = node.id();
        long start = System.nanoTime();
        Duration left = PATIENCE;
        while (!left.isNegative()) {
            Optional<LockedNode> locked = call.context().await(stores.nodes().tryLock(id));
            if (locked.isPresent()) {
                return locked.get();
            }
            long before = call.context().snapshot().number();
            Optional<Boolean> free = SnapshotWatch.until(
                    stores.snapshots(), left, now -> mayTry(now, id, before) ? Optional.of(true) : Optional.empty());
            if (call.context().snapshot().node(id).isEmpty()) {
                throw notFound(call.arguments().word());
            }
            left = free.isEmpty() ? Duration.ofSeconds(-1) : PATIENCE.minusNanos(System.nanoTime() - start);
        }
        throw inUse(call.context().snapshot(), node);
    }

    private static boolean mayTry(Snapshot now, String id, long before) {
        return now.node(id).isEmpty() || (!now.isLocked(id) && now.number() > before);
    }

    private static CommandException notFound(String id) {
        return CommandException.no("Node id " + id + " not found");
    }

    private static CommandException inUse(Snapshot snapshot, Node node) {
        String holder = snapshot.contenders(node.id()).stream().findFirst().orElse("somebody");
        return CommandException.failed("Node " + node.id() + " is locked by " + holder + " below /nodepool/nodes/"
                + node.id() + "/lock, and was so for " + PATIENCE.toSeconds() + " s; its state is "
                + node.state().wireName()
                + node.allocation()
                        .allocatedTo()
                        .map(to -> ", allocated to " + to)
                        .orElse("")
                + node.machine().launcher().map(by -> ", launched by " + by).orElse(""));
    }
}
