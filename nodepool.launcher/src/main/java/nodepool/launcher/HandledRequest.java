package nodepool.launcher;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import nodepool.api.driver.NodeRequestHandler;
import nodepool.api.driver.PoolConfig;
import nodepool.api.node.Node;
import nodepool.api.request.NodeRequest;
import nodepool.api.request.RequestState;
import nodepool.api.store.LockedNode;
import nodepool.api.store.LockedRequest;
import nodepool.api.store.Snapshot;
import nodepool.api.verdict.Account;
import nodepool.api.verdict.Reason;
import nodepool.api.verdict.Verdict;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One accepted request on its way: a {@link Seat} for each wanted label, in order, and the ways in which it can end.
 * Confined to the pool's loop.
 */
final class HandledRequest {

    private static final Logger log = LoggerFactory.getLogger("nodepool.driver.NodeRequestHandler");

    /** Who has it in hand. */
    interface Owner {

        /** The request as this pool declines it. */
        NodeRequest declined(NodeRequest request);

        /** It is no longer in hand; absent if nobody knows what became of it. */
        void ended(HandledRequest request, Optional<RequestState> state);

        /** Which of our new nodes are one too many. */
        Overshoot overshoot();

        /** Where to tell what happens. */
        Journal journal();
    }

    private final PoolMeans means;
    private final Owner owner;
    private final PoolConfig pool;
    private final LockedRequest locked;
    private final List<Seat> seats = new ArrayList<>();
    private boolean ending;
    private boolean wasRefused;
    private boolean waitedForProvider;
    private Optional<Reason> failure = Optional.empty();

    HandledRequest(PoolMeans means, Owner owner, PoolConfig pool, LockedRequest locked) {
        this.means = means;
        this.owner = owner;
        this.pool = pool;
        this.locked = locked;
        locked.request().wanted().nodeTypes().forEach(label -> seats.add(new Seat(means, this, label)));
    }

    NodeRequest request() {
        return locked.request();
    }

    LockedRequest locked() {
        return locked;
    }

    PoolConfig pool() {
        return pool;
    }

    Overshoot overshoot() {
        return owner.overshoot();
    }

    Journal journal() {
        return owner.journal();
    }

    /** Whether some label has nothing on its way because there was no room. */
    boolean isWaitingForRoom() {
        return !ending && failure.isEmpty() && seats.stream().anyMatch(Seat::isOpen);
    }

    /** Whether there was no room for it, as far as anybody knows. */
    boolean lacksRoom() {
        return isWaitingForRoom() || isProbing();
    }

    /** Whether what is on its way was refused by the cloud before. */
    boolean isProbing() {
        return wasRefused && !ending && !isComplete() && !isWaitingForRoom();
    }

    /** The cloud refused one of its nodes though there seemed to be room. */
    void refused() {
        wasRefused = true;
        proceed();
    }

    /** Whether nothing is on its way, so that everything it has may be given back. */
    boolean isIdle() {
        return seats.stream().noneMatch(Seat::isOnItsWay);
    }

    boolean hasOneSeat() {
        return seats.size() == 1;
    }

    boolean isComplete() {
        return seats.stream().allMatch(Seat::isReady);
    }

    boolean hasNodes() {
        return !Seat.nodes(seats).isEmpty();
    }

    /**
     * Ids of nodes this request is about to take, or has. Once it ends, their locks alone say whose they are: it may let them
     * go before it is out of hand.
     */
    Set<String> taken() {
        Set<String> ids = new HashSet<>();
        if (!ending) {
            seats.forEach(seat -> seat.taken().ifPresent(ids::add));
        }
        return ids;
    }

    /** The nodes it has already, for choices that depend on them. */
    Collection<Node> nodes() {
        return Seat.nodes(seats).stream().map(LockedNode::node).toList();
    }

    /** Those for which nothing is on its way, in order. */
    List<Seat> open() {
        return seats.stream().filter(Seat::isOpen).toList();
    }

    /**
     * Fills seats as planned.
     *
     * @param open the seats the plan was made for
     * @param recorded the nodes recorded for the plan's drafts, in their order
     */
    void fill(List<Seat> open, Plan plan, List<Node> recorded, NodeRequestHandler handler) {
        int next = 0;
        for (int i = 0; i < open.size(); i++) {
            Seat seat = open.get(i);
            Plan.Choice choice = plan.choices().get(i);
            if (choice instanceof Plan.Choice.Reuse reuse) {
                seat.reuse(reuse.node(), handler);
            } else if (choice instanceof Plan.Choice.Make make) {
                Node node = recorded.get(next++);
                pool.label(seat.label())
                        .ifPresentOrElse(
                                label -> seat.launch(node, label, make.token()), () -> unlaunchable(seat, make));
            }
        }
    }

    private void unlaunchable(Seat seat, Plan.Choice.Make make) {
        means.slot().ledger().release(make.token());
        seat.leave();
        failed(Reason.of(Reason.Code.LABEL_UNKNOWN, "the pool cannot launch label " + seat.label()));
    }

    /** Looks at the shared state: the requestor may have removed the request, or the session may be gone. */
    void look(Snapshot snapshot) {
        if (!locked.lock().isHeld()) {
            drop();
        } else if (snapshot.request(request().id()).isEmpty() && isIdle()) {
            goneByRequestor();
        } else {
            seats.forEach(Seat::look);
            tellOfProvider();
        }
    }

    /** Its driver or provider may have gone after it was accepted. */
    private void tellOfProvider() {
        boolean waits = seats.stream().anyMatch(Seat::waitsForProvider);
        if (waits) {
            means.slot().trouble().ifPresent(why -> journal().note(request(), new Verdict.Defer(why)));
        } else if (waitedForProvider) {
            journal().note(request(), new Verdict.Accept());
        }
        waitedForProvider = waits;
    }

    /** A launch failed for good. */
    void failed(Reason why) {
        failure = Optional.of(why);
        proceed();
    }

    /** Ends the request if its nodes say so. */
    void proceed() {
        if (ending || !isIdle()) {
            return;
        }
        if (failure.isPresent()) {
            decline(failure.get());
        } else if (isComplete()) {
            fulfil();
        }
    }

    private void fulfil() {
        Collection<LockedNode> nodes = Seat.nodes(seats);
        List<String> ids = nodes.stream().map(node -> node.node().id()).toList();
        finish(request().withNodes(ids).withState(RequestState.FULFILLED, now()), nodes);
    }

    private LogIds ids() {
        return LogIds.of(request(), means);
    }

    private Instant now() {
        return means.clock().instant();
    }

    /** Says no in the request and lets the nodes go; those that are ready become stock. */
    void decline(Reason why) {
        ids().log(() ->
                log.info("Declining node request {} due to {}", request().id(), why.detail()));
        journal().note(request(), new Verdict.Decline(why));
        journal().note(request(), Account.What.DECLINED, why.detail());
        finish(owner.declined(request()), deallocated());
    }

    /** Gives the request back undeclined, for any pool to take. */
    void giveBack() {
        journal().note(request(), Account.What.GIVEN_BACK, "");
        finish(request().withNodes(List.of()).withState(RequestState.REQUESTED, now()), deallocated());
    }

    /**
     * Leaves the request and its nodes as they are and lets go of their locks, so that another launcher, or this one after
     * its restart, goes on from there.
     */
    void handOver() {
        if (ending) {
            return;
        }
        if (isIdle() && !hasNodes()) {
            giveBack();
            return;
        }
        ending = true;
        CompletableFuture<?>[] steps =
                seats.stream().map(seat -> seat.suspend().toCompletableFuture()).toArray(CompletableFuture[]::new);
        means.loop().after(CompletableFuture.allOf(steps), (suspended, failed) -> {
            Collection<LockedNode> nodes = Seat.nodes(seats);
            journal().note(request(), Account.What.LEFT, "");
            ids().log(() -> log.info(
                    "Leaving node request {} with {} nodes for whoever goes on",
                    request().id(),
                    nodes.size()));
            CompletableFuture<?>[] unlocked = nodes.stream()
                    .map(node -> means.stores().nodes().unlock(node.lock()).toCompletableFuture())
                    .toArray(CompletableFuture[]::new);
            CompletionStage<?> all = CompletableFuture.allOf(unlocked)
                    .thenCompose(done -> means.stores().requests().unlock(locked.lock()));
            means.loop().after(all, (done, lost) -> owner.ended(this, Optional.empty()));
        });
    }

    private List<LockedNode> deallocated() {
        return Seat.nodes(seats).stream()
                .map(node -> node.with(node.node().withAllocation(Node.Allocation.NONE)))
                .toList();
    }

    private void finish(NodeRequest last, Collection<LockedNode> nodes) {
        if (ending) {
            return;
        }
        ending = true;
        means.loop().after(means.stores().requests().finish(locked.with(last), List.copyOf(nodes)), (done, failed) -> {
            if (failed != null) {
                if (!Outcome.isSessionLost(failed)) {
                    log.error("Could not finish node request {}", last.id(), failed);
                }
                owner.ended(this, Optional.empty());
            } else if (Boolean.TRUE.equals(done)) {
                if (last.state() == RequestState.FULFILLED) {
                    ids().log(() -> log.info("Fulfilled node request {} with {}", last.id(), last.nodes()));
                    journal().note(last, Account.What.FULFILLED, String.join(", ", last.nodes()));
                }
                owner.ended(this, Optional.of(last.state()));
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
        ids().log(() -> log.info("Node request {} disappeared", request().id()));
        journal().note(request(), Account.What.DISAPPEARED, "");
        for (LockedNode node : deallocated()) {
            Loop.begin(means.stores().nodes().finish(node), log);
        }
        means.loop()
                .after(
                        means.stores().requests().unlock(locked.lock()),
                        (done, failed) -> owner.ended(this, Optional.empty()));
    }

    /** The session is gone, and with it every lock: nothing is ours any more, nothing may be written. */
    void drop() {
        if (!ending) {
            ending = true;
            log.warn(
                    "Dropping node request {}: the ZooKeeper session was lost",
                    request().id());
            owner.ended(this, Optional.empty());
        }
    }
}
