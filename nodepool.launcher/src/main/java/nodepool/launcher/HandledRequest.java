package nodepool.launcher;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import nodepool.api.driver.LabelConfig;
import nodepool.api.driver.NodeRequestHandler;
import nodepool.api.driver.PoolConfig;
import nodepool.api.node.Node;
import nodepool.api.node.NodeState;
import nodepool.api.request.NodeRequest;
import nodepool.api.request.RequestState;
import nodepool.api.store.HeldLock;
import nodepool.api.store.LockedNode;
import nodepool.api.store.LockedRequest;
import nodepool.api.store.NodeMemo;
import nodepool.api.store.Snapshot;
import nodepool.api.verdict.Reason;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One accepted request on its way: a seat for each wanted label, in order, and what sits in it. Confined to the pool's
 * loop. Ends by telling the {@link PoolWorker}.
 */
final class HandledRequest {

    private static final Logger log = LoggerFactory.getLogger("nodepool.driver.NodeRequestHandler");

    private enum Sitting {
        NOTHING,
        ON_ITS_WAY,
        READY,
        FAILED
    }

    /** One wanted label and what was found for it. */
    private static final class Seat {
        private final String label;
        private Sitting sitting = Sitting.NOTHING;
        private Optional<LockedNode> node = Optional.empty();
        private Optional<NodeLaunch> launch = Optional.empty();
        private Optional<String> promised = Optional.empty();

        Seat(String label) {
            this.label = label;
        }

        void leave() {
            sitting = Sitting.NOTHING;
            node = Optional.empty();
            launch = Optional.empty();
            promised = Optional.empty();
        }
    }

    private final PoolWorker worker;
    private final PoolConfig pool;
    private final List<Seat> seats = new ArrayList<>();
    private LockedRequest locked;
    private boolean ending;
    private Optional<Reason> failure = Optional.empty();

    HandledRequest(PoolWorker worker, PoolConfig pool, LockedRequest locked) {
        this.worker = worker;
        this.pool = pool;
        this.locked = locked;
        locked.request().wanted().nodeTypes().forEach(label -> seats.add(new Seat(label)));
    }

    NodeRequest request() {
        return locked.request();
    }

    HeldLock lock() {
        return locked.lock();
    }

    /** Whether some label has nothing on its way because there was no room. */
    boolean isWaitingForRoom() {
        return !ending && failure.isEmpty() && seats.stream().anyMatch(seat -> seat.sitting == Sitting.NOTHING);
    }

    /** Ids of nodes this request is about to take, or has. */
    Set<String> taken() {
        Set<String> ids = new HashSet<>();
        for (Seat seat : seats) {
            seat.promised.ifPresent(ids::add);
            seat.node.ifPresent(node -> ids.add(node.node().id()));
        }
        return ids;
    }

    /** The nodes it has already, for choices that depend on them. */
    Collection<Node> nodes() {
        List<Node> nodes = new ArrayList<>();
        for (Seat seat : seats) {
            seat.node.or(() -> seat.launch.map(NodeLaunch::node)).ifPresent(node -> nodes.add(node.node()));
        }
        return nodes;
    }

    /** Indices of labels for which nothing is on its way, with their labels. */
    List<Integer> open() {
        List<Integer> open = new ArrayList<>();
        for (int i = 0; i < seats.size(); i++) {
            if (seats.get(i).sitting == Sitting.NOTHING) {
                open.add(i);
            }
        }
        return open;
    }

    String label(int seat) {
        return seats.get(seat).label;
    }

    /** Takes a ready node for that label, if it is still free and answers. */
    void reuse(int index, Node candidate, NodeRequestHandler handler) {
        Seat seat = seats.get(index);
        seat.sitting = Sitting.ON_ITS_WAY;
        seat.promised = Optional.of(candidate.id());
        Loop loop = worker.loop();
        loop.after(worker.stores().nodes().tryLock(candidate.id()), (found, failed) -> {
            Optional<LockedNode> node = Outcome.value(found);
            if (failed != null || node.isEmpty()) {
                seat.leave();
                worker.loop().wake();
                return;
            }
            if (node.get().node().state() != NodeState.READY
                    || node.get().node().isAllocated()) {
                letGo(seat, node.get());
                return;
            }
            loop.after(handler.checkAlive(node.get().node()), (alive, dead) -> {
                if (dead != null || !Boolean.TRUE.equals(alive)) {
                    letGo(seat, node.get());
                } else {
                    allocate(seat, node.get(), handler);
                }
            });
        });
    }

    private void letGo(Seat seat, LockedNode node) {
        seat.leave();
        worker.loop()
                .after(
                        worker.stores().nodes().unlock(node.lock()),
                        (done, failed) -> worker.loop().wake());
    }

    private void allocate(Seat seat, LockedNode node, NodeRequestHandler handler) {
        LockedNode ours = node.with(node.node().withAllocation(Node.Allocation.to(request())));
        if (seats.size() == 1) {
            // The only node: its allocation goes with the request's fulfilment, in one transaction.
            taken(seat, ours, handler);
            return;
        }
        worker.loop().after(worker.stores().nodes().write(ours), (written, failed) -> {
            Optional<LockedNode> stored = Outcome.value(written);
            if (stored.isPresent()) {
                taken(seat, stored.get(), handler);
            } else {
                seat.leave();
                worker.loop().wake();
            }
        });
    }

    private void taken(Seat seat, LockedNode node, NodeRequestHandler handler) {
        seat.node = Optional.of(node);
        seat.sitting = Sitting.READY;
        handler.nodeReusedNotification(node.node());
        proceed();
    }

    /**
     * Locks a node that was just recorded for that label and launches its machine.
     *
     * @param token of its reservation in the quota ledger
     */
    void launch(int index, Node recorded, LabelConfig label, Object token) {
        Seat seat = seats.get(index);
        seat.sitting = Sitting.ON_ITS_WAY;
        seat.promised = Optional.of(recorded.id());
        QuotaLedger ledger = worker.slot().ledger();
        ledger.recorded(token, recorded.id());
        Instant now = worker.clock().instant();
        NodeMemo memo = NodeLaunch.firstMemo(now);
        Node building = recorded.withState(NodeState.BUILDING, now);
        worker.slot().launching().incrementAndGet();
        worker.loop().after(worker.stores().nodes().lockNew(building, memo), (found, failed) -> {
            Optional<LockedNode> node = Outcome.value(found);
            if (node.isEmpty()) {
                worker.slot().launching().decrementAndGet();
                ledger.release(token);
                seat.leave();
                worker.loop().wake();
                return;
            }
            NodeLaunch launch = new NodeLaunch(
                    worker.means(), request(), pool, label, node.get(), memo, new SeatLaunch(seat, token));
            seat.launch = Optional.of(launch);
            launch.step();
        });
    }

    /** Marks a seat as being filled while its node is recorded. */
    void reserved(int index) {
        seats.get(index).sitting = Sitting.ON_ITS_WAY;
    }

    /** The node for that seat could not be recorded. */
    void unreserved(int index) {
        seats.get(index).leave();
    }

    /** Takes a launch's end into its seat. */
    private final class SeatLaunch implements NodeLaunch.Ended {
        private final Seat seat;
        private final Object token;

        SeatLaunch(Seat seat, Object token) {
            this.seat = seat;
            this.token = token;
        }

        private void over() {
            worker.slot().launching().decrementAndGet();
            worker.slot().ledger().release(token);
            seat.launch = Optional.empty();
        }

        @Override
        public void ready(LockedNode node) {
            over();
            seat.node = Optional.of(node);
            seat.sitting = Sitting.READY;
            if (seats.stream().allMatch(other -> other.sitting == Sitting.READY)) {
                proceed();
                return;
            }
            worker.loop().after(worker.stores().nodes().write(node), (written, failed) -> {
                Outcome.value(written).ifPresent(stored -> seat.node = Optional.of(stored));
                proceed();
            });
        }

        @Override
        public void aborted(Reason why) {
            over();
            seat.leave();
            worker.refusedByCloud(why);
            proceed();
        }

        @Override
        public void failed(Reason why) {
            over();
            seat.sitting = Sitting.FAILED;
            failure = Optional.of(why);
            proceed();
        }

        @Override
        public void lost() {
            over();
            drop();
        }
    }

    /** Looks at the shared state: the requestor may have removed the request, or the session may be gone. */
    void look(Snapshot snapshot) {
        if (!locked.lock().isHeld()) {
            drop();
        } else {
            if (snapshot.request(request().id()).isEmpty()
                    && seats.stream().noneMatch(seat -> seat.sitting == Sitting.ON_ITS_WAY)) {
                goneByRequestor();
            }
        }
        proceed();
    }

    /** Ends the request if its nodes say so. */
    void proceed() {
        if (ending || seats.stream().anyMatch(seat -> seat.sitting == Sitting.ON_ITS_WAY)) {
            return;
        }
        if (failure.isPresent()) {
            decline(failure.get());
        } else if (seats.stream().allMatch(seat -> seat.sitting == Sitting.READY)) {
            fulfil();
        } else {
            worker.loop().wake();
        }
    }

    private void fulfil() {
        List<String> ids = new ArrayList<>();
        List<LockedNode> nodes = new ArrayList<>();
        for (Seat seat : seats) {
            LockedNode node = seat.node.orElseThrow();
            ids.add(node.node().id());
            nodes.add(node);
        }
        NodeRequest fulfilled = request()
                .withNodes(ids)
                .withState(RequestState.FULFILLED, worker.clock().instant());
        finish(fulfilled, nodes);
    }

    /** Says no in the request and lets the nodes go; those that are ready become stock. */
    void decline(Reason why) {
        log.info("Declining node request {} due to {}", request().id(), why.detail());
        finish(worker.declined(request()), deallocated());
    }

    /** Gives the request back undeclined, for any pool to take. */
    void giveBack() {
        NodeRequest again = request()
                .withNodes(List.of())
                .withState(RequestState.REQUESTED, worker.clock().instant());
        finish(again, deallocated());
    }

    private List<LockedNode> deallocated() {
        List<LockedNode> nodes = new ArrayList<>();
        for (Seat seat : seats) {
            seat.node
                    .or(() -> seat.launch.map(NodeLaunch::node))
                    .ifPresent(node -> nodes.add(node.with(node.node().withAllocation(Node.Allocation.NONE))));
        }
        return nodes;
    }

    private void finish(NodeRequest last, List<LockedNode> nodes) {
        if (ending) {
            return;
        }
        ending = true;
        worker.loop().after(worker.stores().requests().finish(locked.with(last), nodes), (done, failed) -> {
            if (failed != null) {
                if (!Outcome.isSessionLost(failed)) {
                    log.error("Could not finish node request {}", last.id(), failed);
                }
                worker.ended(this, Optional.empty());
            } else if (Boolean.TRUE.equals(done)) {
                if (last.state() == RequestState.FULFILLED) {
                    log.info("Fulfilled node request {} with {}", last.id(), last.nodes());
                }
                worker.ended(this, Optional.of(last.state()));
            } else {
                letNodesGo();
            }
        });
    }

    private void goneByRequestor() {
        if (!ending) {
            ending = true;
            letNodesGo();
        }
    }

    /** The request is gone: its ready nodes become stock, its lock goes. */
    private void letNodesGo() {
        log.info("Node request {} disappeared", request().id());
        for (LockedNode node : deallocated()) {
            Loop.begin(worker.stores().nodes().finish(node), log);
        }
        worker.loop()
                .after(
                        worker.stores().requests().unlock(locked.lock()),
                        (done, failed) -> worker.ended(this, Optional.empty()));
    }

    /** The session is gone, and with it every lock: nothing is ours any more, nothing may be written. */
    private void drop() {
        if (!ending) {
            ending = true;
            log.warn(
                    "Dropping node request {}: the ZooKeeper session was lost",
                    request().id());
            worker.ended(this, Optional.empty());
        }
    }
}
