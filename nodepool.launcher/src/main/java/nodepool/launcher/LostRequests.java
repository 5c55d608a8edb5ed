package nodepool.launcher;

import java.time.Clock;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import nodepool.api.node.Node;
import nodepool.api.node.NodeState;
import nodepool.api.request.NodeRequest;
import nodepool.api.request.RequestState;
import nodepool.api.store.LockedNode;
import nodepool.api.store.LockedRequest;
import nodepool.api.store.Snapshot;
import nodepool.api.store.Stores;
import org.slf4j.Logger;

/** Returns requests to the queue whose launcher is gone and with which nobody goes on. Confined to the clean-up's loop. */
final class LostRequests {

    private final Loop loop;
    private final Clock clock;
    private final Stores stores;
    private final Logger log;
    private final Set<String> inHand = new HashSet<>();
    private Set<String> leftToHeirs = Set.of();

    LostRequests(Loop loop, Clock clock, Stores stores, Logger log) {
        this.loop = loop;
        this.clock = clock;
        this.stores = stores;
        this.log = log;
    }

    /**
     * A pending request of which nobody holds the lock has lost its launcher. If there is an heir to its nodes that one goes
     * on with it, and gets a whole period to do so.
     *
     * @param due whether a period is over
     */
    void look(Snapshot snapshot, Heirs heirs, boolean due) {
        Set<String> left = new HashSet<>();
        for (NodeRequest request : snapshot.requests()) {
            String id = request.id();
            if (request.state() != RequestState.PENDING || snapshot.isRequestLocked(id) || inHand.contains(id)) {
                continue;
            }
            boolean wait = heirs.existFor(request);
            if (wait && !(due && leftToHeirs.contains(id))) {
                left.add(id);
            } else {
                inHand.add(id);
                loop.after(stores.requests().tryLock(id), (found, failure) -> {
                    inHand.remove(id);
                    Outcome.value(found).ifPresent(locked -> reset(locked, snapshot));
                });
            }
        }
        if (due) {
            leftToHeirs = left;
        }
    }

    private void reset(LockedRequest locked, Snapshot snapshot) {
        if (locked.request().state() != RequestState.PENDING) {
            begin(stores.requests().unlock(locked.lock()));
            return;
        }
        List<String> nodes = new ArrayList<>();
        snapshot.nodesAllocatedTo(locked.request().id()).forEach(node -> nodes.add(node.id()));
        letGo(locked, nodes);
    }

    /** One node after the other, so that a node locked by someone else leaves the request for the next sweep. */
    private void letGo(LockedRequest request, List<String> nodes) {
        if (nodes.isEmpty()) {
            log.info("Reset lost request {}", request.request().id());
            begin(stores.requests()
                    .finish(
                            request.with(request.request()
                                    .withNodes(List.of())
                                    .withState(RequestState.REQUESTED, clock.instant())),
                            List.of()));
            return;
        }
        String id = nodes.get(0);
        List<String> rest = nodes.subList(1, nodes.size());
        loop.after(stores.nodes().tryLock(id), (found, failure) -> {
            Optional<LockedNode> locked = Outcome.value(found);
            if (failure != null) {
                begin(stores.requests().unlock(request.lock()));
            } else if (locked.isEmpty()) {
                letGo(request, rest);
            } else {
                Node node = locked.get().node();
                Node free = node.withAllocation(Node.Allocation.NONE);
                if (node.state() == NodeState.INIT) {
                    free = free.withState(NodeState.DELETING, clock.instant());
                }
                loop.after(stores.nodes().finish(locked.get().with(free)), (done, failed) -> letGo(request, rest));
            }
        });
    }

    private void begin(CompletionStage<?> call) {
        Loop.begin(call, log);
    }
}
