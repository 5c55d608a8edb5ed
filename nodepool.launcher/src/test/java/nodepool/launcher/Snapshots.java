package nodepool.launcher;

import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;
import nodepool.api.node.Node;
import nodepool.api.node.NodeState;
import nodepool.api.store.Snapshot;
import nodepool.api.store.Stores;

/** Waits for and reads states of ZooKeeper. */
final class Snapshots {

    private Snapshots() {}

    /** Waits until {@code look} finds something in the shared state. */
    static <T> T await(Stores stores, String what, Function<Snapshot, Optional<T>> look) {
        return Bell.await(
                what,
                stores.snapshots()::onChange,
                () -> stores.snapshots().current().flatMap(look),
                () -> stores.snapshots().current().map(Snapshots::describe).orElse("no connection"));
    }

    static List<Node> inState(Snapshot snapshot, NodeState state) {
        return snapshot.nodes().stream().filter(node -> node.state() == state).toList();
    }

    private static String describe(Snapshot now) {
        Stream<String> requests = now.requests().stream()
                .map(request -> "request %s %s %s declined by %s"
                        .formatted(
                                request.id(), request.state(), request.wanted().nodeTypes(), request.declinedBy()));
        Stream<String> nodes = now.nodes().stream()
                .map(node -> "node %s %s %s for %s, locked: %s"
                        .formatted(
                                node.id(),
                                node.types(),
                                node.state(),
                                node.allocation().allocatedTo().orElse("nobody"),
                                now.isLocked(node.id())));
        Stream<String> pools = now.components().stream().map(component -> "component " + component);
        return "\n"
                + String.join(
                        "\n",
                        Stream.of(requests, nodes, pools)
                                .flatMap(lines -> lines)
                                .toList());
    }
}
