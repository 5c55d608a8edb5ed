package nodepool.launcher;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.time.Clock;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;
import nodepool.api.json.JsonValue.JsonNull;
import nodepool.api.node.Node;
import nodepool.api.node.NodeState;
import nodepool.api.request.NodeRequest;
import nodepool.api.request.RequestState;
import nodepool.api.store.LockedNode;
import nodepool.api.store.LockedRequest;
import nodepool.api.store.Stores;

/** Asks for nodes, uses them and gives them back, as Zuul does. */
final class Requestor {

    private static final int LOCK_ATTEMPTS = 20;

    private final Stores stores;
    private final PlainZooKeeper plain;
    private final Clock clock;

    Requestor(Stores stores, PlainZooKeeper plain, Clock clock) {
        this.stores = stores;
        this.plain = plain;
        this.clock = clock;
    }

    /** What is about to be asked for. */
    final class Ask {
        private final List<String> labels;
        private String priority = "200";
        private int relativePriority;
        private Optional<String> provider = Optional.empty();
        private Optional<String> tenant = Optional.empty();
        private String requestor = "zuul";
        private boolean reuse = true;

        private Ask(String... labels) {
            this.labels = List.of(labels);
        }

        /** Three digits, lower is served first. */
        Ask priority(String digits) {
            priority = digits;
            return this;
        }

        Ask relativePriority(int lowerFirst) {
            relativePriority = lowerFirst;
            return this;
        }

        Ask from(String wantedProvider) {
            provider = Optional.of(wantedProvider);
            return this;
        }

        Ask forTenant(String name) {
            tenant = Optional.of(name);
            return this;
        }

        Ask as(String requestorName) {
            requestor = requestorName;
            return this;
        }

        Ask withoutReuse() {
            reuse = false;
            return this;
        }

        /** Stores the request and returns its id. */
        String submit() {
            NodeRequest.Asker asker = new NodeRequest.Asker(
                    Optional.of(requestor), JsonNull.NULL, Optional.of("event1"), Optional.of(clock.instant()), tenant);
            NodeRequest draft = NodeRequest.draft(
                    new NodeRequest.Wanted(labels, reuse, provider, relativePriority), asker, clock.instant());
            return Bell.await(stores.requests().create(draft, priority, true)).id();
        }
    }

    Ask ask(String... labels) {
        return new Ask(labels);
    }

    /** Stores an ordinary request and returns its id. */
    String request(String... labels) {
        return ask(labels).submit();
    }

    /** Zuul does so when a change moves in its queue. */
    void setRelativePriority(String request, int lowerFirst) {
        plain.edit(
                "/nodepool/requests/" + request,
                text -> text.replaceFirst("\"relative_priority\":\\s*\\d+", "\"relative_priority\":" + lowerFirst));
    }

    /** Stores a state as a launcher would that is not there any more. */
    void setState(String request, RequestState state) {
        LockedRequest locked = Bell.await(stores.requests().tryLock(request)).orElseThrow();
        Bell.await(stores.requests()
                .finish(locked.with(locked.request().withState(state, clock.instant())), List.of()));
    }

    NodeRequest awaitState(String request, RequestState state) {
        return Snapshots.await(stores, "request " + request + " is " + state, now -> {
            Optional<NodeRequest> found = now.request(request);
            found.ifPresent(seen -> assertEquals(
                    seen.state().isFinal() ? state : seen.state(), seen.state(), "final state of request " + request));
            return found.filter(seen -> seen.state() == state);
        });
    }

    NodeRequest awaitFailed(String request) {
        return awaitState(request, RequestState.FAILED);
    }

    /** Waits until a request is fulfilled and returns its nodes in their order. */
    List<Node> awaitNodes(String request) {
        List<String> ids = awaitState(request, RequestState.FULFILLED).nodes();
        return Snapshots.await(stores, "nodes " + ids, now -> {
            List<Node> nodes = ids.stream().flatMap(id -> now.node(id).stream()).toList();
            return Optional.of(nodes).filter(all -> all.size() == ids.size());
        });
    }

    /** Waits until a request for one node is fulfilled. */
    Node awaitNode(String request) {
        List<Node> nodes = awaitNodes(request);
        assertEquals(1, nodes.size(), "nodes of request " + request);
        return nodes.get(0);
    }

    /** Waits until one of some requests is fulfilled, and returns its id. */
    String awaitAnyAnswered(Collection<String> some) {
        Set<String> asked = Set.copyOf(some);
        return Snapshots.await(
                stores,
                "any answer",
                now -> now.requests().stream()
                        .filter(request -> request.state() == RequestState.FULFILLED && asked.contains(request.id()))
                        .map(NodeRequest::id)
                        .findFirst());
    }

    /** Waits until a request is fulfilled, locks its nodes, removes it and begins to use them. */
    List<LockedNode> use(String request) {
        List<LockedNode> used = new ArrayList<>();
        for (Node node : awaitNodes(request)) {
            assertEquals(NodeState.READY, node.state());
            assertEquals(Optional.of(request), node.allocation().allocatedTo());
            used.add(lock(node.id()));
        }
        delete(request);
        used.replaceAll(node -> write(node, node.node().withState(NodeState.IN_USE, clock.instant())));
        return used;
    }

    /** The nodes are not needed any more. */
    void giveBack(List<LockedNode> nodes) {
        nodes.forEach(this::giveBack);
    }

    /** The node is not needed any more. */
    void giveBack(LockedNode node) {
        release(node, NodeState.USED);
    }

    /** Whether the request has not been answered yet. */
    boolean isWaiting(String request) {
        return Bell.await(stores.requests().read(request))
                .filter(now -> !now.state().isFinal())
                .isPresent();
    }

    /** Stores a state and lets the node go. */
    void release(LockedNode node, NodeState state) {
        Bell.await(stores.nodes().finish(node.with(node.node().withState(state, clock.instant()))));
    }

    /** Locks a node, after whoever has it now. */
    LockedNode lock(String id) {
        for (int attempt = 1; attempt <= LOCK_ATTEMPTS; attempt++) {
            Optional<LockedNode> locked = Bell.await(stores.nodes().tryLock(id));
            if (locked.isPresent()) {
                return locked.get();
            }
            Snapshots.await(
                    stores,
                    "node " + id + " is unlocked",
                    now -> Optional.of(now).filter(seen -> !seen.isLocked(id)));
        }
        throw new AssertionError("node " + id + " could not be locked");
    }

    LockedNode write(LockedNode node, Node changed) {
        return Bell.await(stores.nodes().write(node.with(changed)))
                .orElseThrow(() -> new AssertionError("node " + changed.id() + " is gone"));
    }

    /** Stores a node as given, under its lock. */
    void change(String id, UnaryOperator<Node> change) {
        LockedNode locked = lock(id);
        Bell.await(stores.nodes().finish(locked.with(change.apply(locked.node()))));
    }

    /** Removes a request, as one whose job was cancelled or which was answered. */
    void delete(String request) {
        Bell.await(stores.requests().delete(request));
    }
}
