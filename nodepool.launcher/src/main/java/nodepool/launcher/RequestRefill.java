package nodepool.launcher;

import java.util.List;
import java.util.Optional;
import nodepool.api.driver.NodeRequestHandler;
import nodepool.api.node.Node;
import nodepool.api.quota.QuotaInformation;
import nodepool.api.request.NodeRequest;
import nodepool.api.store.Snapshot;
import nodepool.api.verdict.Reason;
import nodepool.api.verdict.Verdict;

/**
 * Goes on with requests in hand for which there was no room, the first in order first. While that one lacks room the others
 * take nothing that it could use. One whose tenant is at its limit would keep other tenants from being served, so it is given
 * back. Confined to the pool's loop.
 */
final class RequestRefill {

    private final PoolMeans means;
    private final Hand hand;
    private final RoomMaker rooms;
    private final Journal journal;

    RequestRefill(PoolMeans means, Hand hand, RoomMaker rooms, Journal journal) {
        this.means = means;
        this.hand = hand;
        this.rooms = rooms;
        this.journal = journal;
    }

    /** Returns whether some request still lacks room. */
    boolean look(Snapshot snapshot, PoolView view, Stock stock) {
        hand.waiting().stream().filter(HandledRequest::isIdle).forEach(idle -> letGo(idle, snapshot, view));
        int probing = 0;
        for (HandledRequest request : hand.waiting()) {
            boolean isShort = request.isWaitingForRoom() && isShort(request, snapshot, view, stock);
            probing += request.isProbing() ? 1 : 0;
            if (isShort
                    || request.isWaitingForRoom()
                    || probing >= means.slot().probes().allowed()) {
                return true;
            }
        }
        means.slot().ledger().waitsNoMore(means.poolName());
        return hand.isAboutToWait();
    }

    /** Gives up what can no longer be served here, and what only keeps others from being served. */
    private void letGo(HandledRequest idle, Snapshot snapshot, PoolView view) {
        Optional<Reason> no = Placement.mustDecline(idle.request(), view);
        Optional<Reason> overTenant = overTenant(idle.request(), view);
        if (no.isPresent()) {
            idle.decline(no.get());
        } else if (overTenant.isPresent()) {
            journal.note(idle.request(), new Verdict.Defer(overTenant.get()));
            idle.giveBack();
        } else if (idle.hasNodes() && new Rivals(snapshot, view).mustYield(idle.request())) {
            idle.giveBack();
        }
    }

    private boolean isShort(HandledRequest request, Snapshot snapshot, PoolView view, Stock stock) {
        Optional<RunningProvider> generation = means.slot().current();
        if (generation.isEmpty()) {
            return true;
        }
        if (overTenant(request.request(), view).isPresent()) {
            return false; // Something is on its way for it; then it is given back.
        }
        Optional<Reason> shortage = fill(request, generation.get(), snapshot, view, stock);
        shortage.ifPresent(why -> {
            journal.note(request.request(), new Verdict.Defer(why));
            rooms.makeRoom(snapshot, stock);
        });
        return shortage.isPresent();
    }

    /** Another launcher may have been faster; and one taken over from another process has no reservation with us yet. */
    private Optional<Reason> overTenant(NodeRequest request, PoolView view) {
        QuotaInformation need = Placement.need(request, view);
        return request.asker().tenantName().flatMap(tenant -> means.tenants().reserve(request.id(), tenant, need));
    }

    private Optional<Reason> fill(
            HandledRequest request, RunningProvider generation, Snapshot snapshot, PoolView view, Stock stock) {
        NodeRequestHandler handler = generation.provider().getRequestHandler(view.pool(), request.request());
        List<Seat> open = request.open();
        List<String> labels = open.stream().map(Seat::label).toList();
        Plan plan = new Planner(means, view, snapshot).plan(request.request(), labels, request.nodes(), handler, stock);
        if (plan.shortage().isPresent() && (request.request().isMinReady() || !view.launches())) {
            plan.release(means.slot().ledger());
            stock.giveBack(plan.reused());
            if (request.isIdle()) {
                if (view.launches()) {
                    request.decline(Reason.of(
                            Reason.Code.MIN_READY_AT_QUOTA,
                            plan.shortage().get().detail()));
                } else {
                    request.giveBack();
                }
            }
            return Optional.empty();
        }
        if (plan.drafts().isEmpty()) {
            request.fill(open, plan, List.of(), handler);
        } else {
            record(request, open, plan, handler);
        }
        return plan.shortage();
    }

    private void record(HandledRequest request, List<Seat> open, Plan plan, NodeRequestHandler handler) {
        for (int i = 0; i < open.size(); i++) {
            if (!(plan.choices().get(i) instanceof Plan.Choice.Wait)) {
                open.get(i).expect();
            }
        }
        means.loop()
                .after(
                        means.stores().requests().createNodes(request.locked(), plan.drafts()),
                        (List<Node> nodes, Throwable failure) -> {
                            if (nodes == null || nodes.size() != plan.drafts().size()) {
                                plan.release(means.slot().ledger());
                                open.stream().filter(Seat::isOnItsWay).forEach(Seat::leave);
                            } else {
                                request.fill(open, plan, nodes, handler);
                            }
                        });
    }
}
