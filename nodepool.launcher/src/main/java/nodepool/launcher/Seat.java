package nodepool.launcher;

import java.util.Collection;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import nodepool.api.driver.LabelConfig;
import nodepool.api.driver.NodeRequestHandler;
import nodepool.api.node.Node;
import nodepool.api.node.NodeState;
import nodepool.api.store.LockedNode;
import nodepool.api.store.NodeMemo;
import nodepool.api.store.Snapshot;
import nodepool.api.verdict.Account;
import nodepool.api.verdict.Reason;

/** One wanted label of a request in hand, and what was found or is being made for it. Confined to the pool's loop. */
final class Seat {

    private enum Sitting {
        NOTHING,
        ON_ITS_WAY,
        READY,
        FAILED
    }

    private final PoolMeans means;
    private final HandledRequest owner;
    private final String label;
    private Sitting sitting = Sitting.NOTHING;
    private Optional<String> promised = Optional.empty();
    private Optional<LockedNode> node = Optional.empty();
    private Optional<NodeLaunch> launch = Optional.empty();

    Seat(PoolMeans means, HandledRequest owner, String label) {
        this.means = means;
        this.owner = owner;
        this.label = label;
    }

    String label() {
        return label;
    }

    boolean isOpen() {
        return sitting == Sitting.NOTHING;
    }

    boolean isOnItsWay() {
        return sitting == Sitting.ON_ITS_WAY;
    }

    boolean isReady() {
        return sitting == Sitting.READY;
    }

    /** Id of the node it has or is about to take. */
    Optional<String> taken() {
        return node().map(here -> here.node().id()).or(() -> promised);
    }

    /** What sits here under our lock, ready or still being made. */
    Optional<LockedNode> node() {
        return node.or(() -> launch.map(NodeLaunch::node));
    }

    /** Something may have happened for which a launch waits. */
    void look() {
        launch.ifPresent(NodeLaunch::wake);
    }

    boolean waitsForProvider() {
        return launch.filter(NodeLaunch::waitsForProvider).isPresent();
    }

    /** From now on a node is on its way here. */
    void expect() {
        sitting = Sitting.ON_ITS_WAY;
    }

    /** Nothing is on its way any more. */
    void leave() {
        sitting = Sitting.NOTHING;
        promised = Optional.empty();
        node = Optional.empty();
        launch = Optional.empty();
        means.loop().wake();
    }

    /** Takes a ready node, if it is still free and answers. */
    void reuse(Node candidate, NodeRequestHandler handler) {
        expect();
        promised = Optional.of(candidate.id());
        means.loop().after(means.stores().nodes().tryLock(candidate.id()), (found, failed) -> {
            Optional<LockedNode> locked = Outcome.value(found);
            if (locked.isEmpty()) {
                leave();
            } else if (locked.get().node().state() != NodeState.READY
                    || locked.get().node().isAllocated()) {
                letGo(locked.get());
            } else {
                check(locked.get(), handler);
            }
        });
    }

    private void check(LockedNode free, NodeRequestHandler handler) {
        means.loop().after(handler.checkAlive(free.node()), (alive, dead) -> {
            if (dead != null || !Boolean.TRUE.equals(alive)) {
                letGo(free);
            } else {
                allocate(free, handler);
            }
        });
    }

    private void letGo(LockedNode free) {
        means.loop().after(means.stores().nodes().unlock(free.lock()), (done, failed) -> leave());
    }

    private void allocate(LockedNode free, NodeRequestHandler handler) {
        LockedNode ours = free.with(free.node().withAllocation(Node.Allocation.to(owner.request())));
        boolean limited = owner.overshoot().limitsTenantOf(ours.node());
        if (owner.hasOneSeat() && !limited) {
            // Its allocation goes with the request's fulfilment, in one transaction.
            allocated(ours, handler);
            return;
        }
        means.loop().after(means.stores().nodes().write(ours), (written, failed) -> {
            Optional<LockedNode> stored = Outcome.value(written);
            if (stored.isEmpty()) {
                leave();
            } else if (limited) {
                keepIfAllowed(stored.get(), handler);
            } else {
                allocated(stored.get(), handler);
            }
        });
    }

    /** Another launcher may have taken the tenant's last room meanwhile. */
    private void keepIfAllowed(LockedNode ours, NodeRequestHandler handler) {
        means.loop().after(means.stores().snapshots().caughtUp(), (snapshot, stale) -> {
            Optional<Reason> tooMany =
                    Overshoot.ifShown(snapshot, now -> owner.overshoot().ofReuse(ours.node(), now));
            if (tooMany.isPresent()) {
                LockedNode free = ours.with(ours.node().withAllocation(Node.Allocation.NONE));
                means.loop().after(means.stores().nodes().finish(free), (done, failed) -> leave());
            } else {
                allocated(ours, handler);
            }
        });
    }

    private void allocated(LockedNode ours, NodeRequestHandler handler) {
        sit(ours);
        owner.journal().note(owner.request(), Account.What.NODE_REUSED, ours.node());
        handler.nodeReusedNotification(ours.node());
        owner.proceed();
    }

    /** A ready node of this request sits here. */
    void sit(LockedNode ready) {
        node = Optional.of(ready);
        launch = Optional.empty();
        sitting = Sitting.READY;
    }

    /**
     * Locks a node that was just recorded for this seat and launches its machine, unless another launcher took the last room
     * for it.
     *
     * @param token of its reservation in the quota ledger
     */
    void launch(Node recorded, LabelConfig config, Object token) {
        expect();
        promised = Optional.of(recorded.id());
        means.slot().ledger().recorded(token, recorded.id());
        NodeMemo memo = NodeLaunch.firstMemo(means.clock().instant());
        Node building = recorded.withState(NodeState.BUILDING, means.clock().instant());
        Ending ending = new Ending(token);
        CompletionStage<Snapshot> shown = means.stores().snapshots().caughtUp();
        means.loop().after(means.stores().nodes().lockNew(building, memo), (found, failed) -> {
            Optional<LockedNode> locked = Outcome.value(found);
            if (locked.isEmpty()) {
                ending.over();
                leave();
            } else {
                means.loop()
                        .after(
                                shown,
                                (snapshot, stale) -> begin(
                                        locked.get(),
                                        memo,
                                        config,
                                        ending,
                                        Overshoot.ifShown(
                                                snapshot,
                                                now -> owner.overshoot().of(recorded, now))));
            }
        });
    }

    private void begin(LockedNode locked, NodeMemo memo, LabelConfig config, Ending ending, Optional<Reason> tooMany) {
        if (tooMany.isPresent()) {
            owner.journal().note(owner.request(), Account.What.NODE_WITHDRAWN, locked.node());
            means.loop().after(means.stores().nodes().remove(locked), (done, failed) -> {
                ending.over();
                leave();
            });
        } else {
            owner.journal().note(owner.request(), Account.What.NODE_BUILDING, locked.node());
            start(locked, memo, config, ending);
        }
    }

    /** Goes on with a machine that an earlier process, or an earlier session of this one, had begun. */
    void resume(LockedNode building, NodeMemo memo, LabelConfig config) {
        expect();
        owner.journal().note(owner.request(), Account.What.NODE_RESUMED, building.node());
        start(building, memo, config, new Ending(new Object()));
    }

    private void start(LockedNode locked, NodeMemo memo, LabelConfig config, Ending ending) {
        NodeLaunch begun =
                new NodeLaunch(means, owner.journal(), owner.request(), owner.pool(), config, locked, memo, ending);
        launch = Optional.of(begun);
        begun.step();
    }

    /** Stops making what is being made here, in a way that anyone can go on; completes when no step is under way. */
    CompletionStage<Void> suspend() {
        return launch.map(NodeLaunch::suspend).orElseGet(() -> CompletableFuture.completedFuture(null));
    }

    /** Takes a launch's end into this seat. */
    private final class Ending implements NodeLaunch.Ended {
        private final Object token;

        Ending(Object token) {
            this.token = token;
            means.slot().launching().incrementAndGet();
        }

        void over() {
            means.slot().launching().decrementAndGet();
            means.slot().ledger().release(token);
            launch = Optional.empty();
        }

        @Override
        public void ready(LockedNode made) {
            over();
            means.slot().probes().came();
            sit(made);
            if (owner.isComplete()) {
                owner.proceed();
                return;
            }
            means.loop().after(means.stores().nodes().write(made), (written, failed) -> {
                Outcome.value(written).ifPresent(Seat.this::sit);
                owner.proceed();
            });
        }

        @Override
        public void aborted(Reason why) {
            over();
            leave();
            owner.refused();
        }

        @Override
        public void failed(Reason why) {
            over();
            sitting = Sitting.FAILED;
            owner.failed(why);
        }

        @Override
        public void lost() {
            over();
            owner.drop();
        }

        @Override
        public void suspended() {
            means.slot().launching().decrementAndGet();
            means.slot().ledger().release(token);
        }
    }

    /** The nodes of some seats that are there or being made. */
    static Collection<LockedNode> nodes(Collection<Seat> seats) {
        return seats.stream().flatMap(seat -> seat.node().stream()).toList();
    }
}
