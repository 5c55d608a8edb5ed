package nodepool.launcher;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import nodepool.api.driver.NodeRequestHandler;
import nodepool.api.driver.PoolConfig;
import nodepool.api.request.NodeRequest;
import nodepool.api.request.RequestState;
import nodepool.api.store.LockedRequest;
import nodepool.api.store.RequestStore;
import nodepool.api.verdict.Account;
import nodepool.api.verdict.Reason;
import org.slf4j.Logger;

/** Takes and declines requests in the store, in races with other launchers and requestors. Confined to the pool's loop. */
final class RequestClaims {

    private final PoolMeans means;
    private final Hand hand;
    private final HandledRequest.Owner owner;
    private final Journal journal;
    private final Logger log;

    RequestClaims(PoolMeans means, Hand hand, HandledRequest.Owner owner, Journal journal, Logger log) {
        this.means = means;
        this.hand = hand;
        this.owner = owner;
        this.journal = journal;
        this.log = log;
    }

    /** Gives back what was set aside for a request that is not taken. */
    void undo(NodeRequest request, Plan plan) {
        plan.release(means.slot().ledger());
        means.tenants().release(request.id());
    }

    /** Makes a request pending, with the nodes of its plan, and takes it into hand, unless someone else is faster. */
    void take(NodeRequest request, PoolConfig pool, Plan plan, NodeRequestHandler handler) {
        hand.beginClaim(request.id(), plan);
        LogIds.of(request, means).log(() -> log.info("Assigning node request {}", request.id()));
        NodeRequest pending =
                request.withState(RequestState.PENDING, means.clock().instant());
        means.loop().after(means.stores().requests().claim(request, pending, plan.drafts()), (found, failure) -> {
            hand.end(request.id());
            Optional<RequestStore.Claim> claim = Outcome.value(found);
            if (failure != null && !Outcome.isSessionLost(failure)) {
                log.error("Could not take node request {}", request.id(), failure);
            }
            if (claim.isEmpty()) {
                undo(request, plan);
                lost(request);
                return;
            }
            HandledRequest taken =
                    new HandledRequest(means, owner, pool, claim.get().request());
            hand.add(taken);
            journal.note(request, Account.What.ACCEPTED, "");
            taken.fill(taken.open(), plan, claim.get().nodes(), handler);
            means.loop().wake();
        });
    }

    private void lost(NodeRequest seen) {
        means.loop().in(hand.lost(seen, means.clock().instant()).plusMillis(1), means.loop()::wake);
        means.loop().wake();
    }

    /** Says no in the request, unless it has changed meanwhile. */
    void decline(NodeRequest seen, Reason why) {
        hand.begin(seen.id());
        means.loop().after(means.stores().requests().tryLock(seen.id()), (found, failure) -> {
            Optional<LockedRequest> locked = Outcome.value(found);
            if (locked.isEmpty()) {
                hand.end(seen.id());
                lost(seen);
                return;
            }
            means.loop().after(decline(locked.get(), why), (done, failed) -> {
                hand.end(seen.id());
                hand.declined(seen.id());
                means.loop().wake();
            });
        });
    }

    private CompletionStage<?> decline(LockedRequest locked, Reason why) {
        NodeRequest fresh = locked.request();
        if (fresh.state() != RequestState.REQUESTED || fresh.declinedBy().contains(means.launcherId())) {
            return means.stores().requests().unlock(locked.lock());
        }
        LogIds.of(fresh, means).log(() -> log.info("Declining node request {} due to {}", fresh.id(), why.detail()));
        journal.note(fresh, Account.What.DECLINED, why.detail());
        return means.stores().requests().finish(locked.with(owner.declined(fresh)), List.of());
    }
}
