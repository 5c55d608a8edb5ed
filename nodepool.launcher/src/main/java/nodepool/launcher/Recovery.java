package nodepool.launcher;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import nodepool.api.driver.LabelConfig;
import nodepool.api.driver.PoolConfig;
import nodepool.api.node.Node;
import nodepool.api.node.NodeState;
import nodepool.api.request.NodeRequest;
import nodepool.api.request.RequestState;
import nodepool.api.store.LockedNode;
import nodepool.api.store.LockedRequest;
import nodepool.api.store.NodeMemo;
import nodepool.api.store.Snapshot;
import nodepool.api.verdict.Account;
import nodepool.api.verdict.Reason;
import org.slf4j.Logger;

/**
 * Goes on with requests whose launcher is gone: takes over their locks and their nodes, and takes the next step of each
 * half-built machine from its stored memory. Confined to the pool's loop.
 */
final class Recovery {

    private final PoolMeans means;
    private final Hand hand;
    private final HandledRequest.Owner owner;
    private final Logger log;

    Recovery(PoolMeans means, Hand hand, HandledRequest.Owner owner, Logger log) {
        this.means = means;
        this.hand = hand;
        this.owner = owner;
        this.log = log;
    }

    /** Looks for requests of this pool that nobody holds any more. */
    void look(Snapshot snapshot, PoolConfig pool) {
        for (NodeRequest request : snapshot.requests()) {
            if (request.state() == RequestState.PENDING
                    && !snapshot.isRequestLocked(request.id())
                    && !hand.holds(request)
                    && isOurs(request, snapshot)) {
                hand.begin(request.id());
                means.loop()
                        .after(
                                means.stores().requests().tryLock(request.id()),
                                (found, failure) -> locked(request.id(), pool, Outcome.value(found)));
            }
        }
    }

    private boolean isOurs(NodeRequest request, Snapshot snapshot) {
        Collection<Node> nodes = snapshot.nodesAllocatedTo(request.id());
        return !nodes.isEmpty() && nodes.stream().allMatch(means::isOurs);
    }

    private void locked(String id, PoolConfig pool, Optional<LockedRequest> found) {
        if (found.isEmpty()) {
            hand.end(id);
        } else if (found.get().request().state() != RequestState.PENDING) {
            letGo(found.get());
        } else {
            means.loop()
                    .after(
                            means.stores().snapshots().caughtUp(),
                            (snapshot, failure) -> Optional.ofNullable(snapshot)
                                    .ifPresentOrElse(
                                            now -> takeOver(found.get(), pool, now), () -> letGo(found.get())));
        }
    }

    private void letGo(LockedRequest request) {
        means.loop()
                .after(
                        means.stores().requests().unlock(request.lock()),
                        (done, failure) -> hand.end(request.request().id()));
    }

    private void takeOver(LockedRequest request, PoolConfig pool, Snapshot snapshot) {
        List<String> nodes = new ArrayList<>();
        snapshot.nodesAllocatedTo(request.request().id()).forEach(node -> nodes.add(node.id()));
        log.info(
                "Going on with node request {} and {} nodes of a launcher that is gone",
                request.request().id(),
                nodes.size());
        HandledRequest taken = new HandledRequest(means, owner, pool, request);
        owner.journal().note(request.request(), Account.What.TAKEN_OVER, "");
        seat(taken, nodes);
    }

    /** One node after the other; when all have found a seat or were let go, the request is in hand like any other. */
    private void seat(HandledRequest taken, List<String> nodes) {
        if (nodes.isEmpty()) {
            hand.end(taken.request().id());
            hand.add(taken);
            taken.proceed();
            means.loop().wake();
            return;
        }
        List<String> rest = nodes.subList(1, nodes.size());
        means.loop().after(means.stores().nodes().tryLock(nodes.get(0)), (found, failure) -> {
            Optional<LockedNode> locked = Outcome.value(found);
            if (locked.isEmpty()) {
                seat(taken, rest);
            } else {
                seat(taken, locked.get(), () -> seat(taken, rest));
            }
        });
    }

    private void seat(HandledRequest taken, LockedNode locked, Runnable next) {
        Node node = locked.node();
        Optional<Seat> seat = taken.open().stream()
                .filter(open -> node.types().contains(open.label()))
                .findFirst();
        Optional<LabelConfig> label = seat.flatMap(open -> taken.pool().label(open.label()));
        switch (node.state()) {
            case READY -> {
                if (seat.isPresent()) {
                    keep(seat.get(), locked, next);
                } else {
                    letGo(locked, next);
                }
            }
            case INIT, BUILDING -> {
                if (seat.isPresent() && label.isPresent()) {
                    resume(seat.get(), label.get(), locked, next);
                } else {
                    giveUp(locked, next);
                }
            }
            default -> then(means.stores().nodes().unlock(locked.lock()), next);
        }
    }

    private void resume(Seat seat, LabelConfig label, LockedNode locked, Runnable next) {
        means.loop().after(means.stores().nodes().recall(locked.node().id()), (found, failure) -> {
            Optional<NodeMemo> memo = Outcome.value(found).filter(known -> known.phase() != NodeMemo.Phase.DELETE);
            if (memo.isEmpty() || locked.node().state() != NodeState.BUILDING) {
                giveUp(locked, next);
            } else if (isBegun(memo.get())) {
                goOn(seat, label, locked, memo.get());
                next.run();
            } else {
                ifAllowed(
                        locked,
                        now -> owner.overshoot().of(locked.node(), now),
                        () -> {
                            goOn(seat, label, locked, memo.get());
                            next.run();
                        },
                        () -> giveUp(locked, next));
            }
        });
    }

    /** Whether its launcher had found that it is not one too many: no step is taken before. */
    private static boolean isBegun(NodeMemo memo) {
        return !memo.steps().isEmpty() || memo.externalId().isPresent() || memo.attempt() > 1;
    }

    private void goOn(Seat seat, LabelConfig label, LockedNode locked, NodeMemo memo) {
        log.info("Going on with node {} from its stored memory", locked.node().id());
        seat.resume(locked, memo, label);
    }

    /** It may come from the stock, and its launcher may have died before it found that there was no room for its tenant. */
    private void keep(Seat seat, LockedNode ready, Runnable next) {
        Runnable sit = () -> {
            seat.sit(ready);
            next.run();
        };
        if (owner.overshoot().limitsTenantOf(ready.node())) {
            ifAllowed(ready, now -> owner.overshoot().ofReuse(ready.node(), now), sit, () -> letGo(ready, next));
        } else {
            sit.run();
        }
    }

    private void ifAllowed(
            LockedNode locked, Function<Snapshot, Optional<Reason>> overshoot, Runnable allowed, Runnable tooMany) {
        means.loop().after(means.stores().snapshots().caughtUp(), (now, stale) -> {
            Overshoot.ifShown(now, overshoot)
                    .ifPresentOrElse(
                            why -> {
                                log.info(
                                        "Not going on with node {}: {}",
                                        locked.node().id(),
                                        why.detail());
                                tooMany.run();
                            },
                            allowed);
        });
    }

    private void letGo(LockedNode ready, Runnable next) {
        then(means.stores().nodes().finish(ready.with(ready.node().withAllocation(Node.Allocation.NONE))), next);
    }

    /** Nobody knows how far its machine is: it is removed, whatever there is of it. */
    private void giveUp(LockedNode locked, Runnable next) {
        Instant now = means.clock().instant();
        then(means.stores().nodes().finish(locked.with(locked.node().withState(NodeState.DELETING, now))), next);
    }

    private void then(CompletionStage<?> call, Runnable next) {
        means.loop().after(call, (done, failure) -> next.run());
    }
}
