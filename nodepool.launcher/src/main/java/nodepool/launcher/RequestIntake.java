package nodepool.launcher;

import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import nodepool.api.driver.NodeRequestHandler;
import nodepool.api.quota.QuotaInformation;
import nodepool.api.request.NodeRequest;
import nodepool.api.store.Snapshot;
import nodepool.api.verdict.Reason;
import nodepool.api.verdict.Verdict;

/**
 * Looks at the waiting requests in order and takes, leaves or declines each. The first for which there is no room is taken
 * all the same and holds what it gets; those behind it are left until it is served, or another pool takes them. The first of
 * a tenant at its limit is left, and so are those of the same tenant behind it. Confined to the pool's loop.
 */
final class RequestIntake {

    private static final Reason ENOUGH_STOCK =
            Reason.of(Reason.Code.STOCK_COMPLETE, "there are enough nodes of this label");
    /** The next generation is in service already: it answers in the next look. */
    private static final Reason NOT_YET = Reason.of(Reason.Code.PROVIDER_STARTING, "its driver has just been replaced");

    private static final Reason BEHIND =
            Reason.of(Reason.Code.POOL_PAUSED, "waits behind a request that came before it and has no room yet");
    private static final Reason BEHIND_ITS_TENANT = Reason.of(
            Reason.Code.TENANT_LIMIT, "waits behind a request of its tenant that came before it and has no room yet");
    private static final Reason TOO_MANY_LAUNCHES =
            Reason.of(Reason.Code.MAX_CONCURRENCY, "as many launches are under way as max-concurrency allows");

    private final PoolMeans means;
    private final Hand hand;
    private final RequestClaims claims;
    private final RoomMaker rooms;
    private final Journal journal;
    private final Judging judging = new Judging();
    private final Turns turns = new Turns();

    RequestIntake(PoolMeans means, Hand hand, RequestClaims claims, RoomMaker rooms, Journal journal) {
        this.means = means;
        this.hand = hand;
        this.claims = claims;
        this.rooms = rooms;
        this.journal = journal;
    }

    /** One look at all waiting requests, against one snapshot. */
    private final class Look {
        private final Snapshot snapshot;
        private final PoolView view;
        private final Stock stock;
        private final Rivals rivals;
        private final List<NodeRequest> elsewhere;
        private Optional<SpareCount> spares = Optional.empty();
        /** Why no other request is taken that needs a launch. */
        private Optional<Reason> closed;
        /** Tenants of whose requests the first has no room below its tenant's limit. */
        private final Set<String> atLimit = new HashSet<>();

        private final TenantQueue queue;
        /** Of this look: the slot's own may come and go meanwhile. */
        private final Optional<RunningProvider> generation = means.slot().current();

        Look(Snapshot snapshot, PoolView view, Stock stock, boolean full, TenantQueue queue) {
            this.queue = queue;
            this.snapshot = snapshot;
            this.view = view;
            this.stock = stock;
            this.closed = full ? Optional.of(BEHIND) : Optional.empty();
            this.rivals = new Rivals(snapshot, view);
            this.elsewhere = view.launches() ? rivals.waitingElsewhere(hand::holds) : List.of();
        }

        Verdict answer(NodeRequest request, List<NodeRequest> servable) {
            if (isSurplusStock(request)) {
                return new Verdict.Defer(ENOUGH_STOCK);
            }
            if (generation.isEmpty()) {
                return new Verdict.Defer(means.slot().trouble().orElse(NOT_YET));
            }
            if (!view.launches()) {
                return takeFree(request);
            }
            if (closed.isPresent()) {
                return new Verdict.Defer(closed.get());
            }
            boolean tenantWaits =
                    request.asker().tenantName().filter(atLimit::contains).isPresent();
            if (tenantWaits || queue.isBehind(request)) {
                return new Verdict.Defer(BEHIND_ITS_TENANT);
            }
            if (takesWhatOthersWaitFor(request)) {
                return new Verdict.Defer(BEHIND);
            }
            int limit = means.slot().config().maxConcurrency();
            if (limit > 0 && means.slot().launching().get() >= limit) {
                closed = Optional.of(TOO_MANY_LAUNCHES);
                return new Verdict.Defer(TOO_MANY_LAUNCHES);
            }
            return take(request, servable);
        }

        /** Other launchers' stock is not ours to judge by: a label we want no stock of has none too much. */
        private boolean isSurplusStock(NodeRequest request) {
            if (!SpareCount.isForOneSpare(request)) {
                return false;
            }
            String label = request.wanted().nodeTypes().get(0);
            Integer wanted = view.minReady().get(label);
            if (wanted == null) {
                return false;
            }
            SpareCount count = spares.orElseGet(() -> SpareCount.of(snapshot));
            spares = Optional.of(count);
            return count.isSurplus(request, wanted);
        }

        private boolean takesWhatOthersWaitFor(NodeRequest request) {
            QuotaInformation theirs = elsewhere.stream()
                    .filter(ahead -> NodeRequest.ORDER.compare(ahead, request) < 0)
                    .map(rivals::missing)
                    .reduce(QuotaInformation.NOTHING, QuotaInformation::plus);
            return !theirs.equals(QuotaInformation.NOTHING)
                    && means.slot()
                            .ledger()
                            .room(view.pool(), view.facts().limits())
                            .minus(theirs)
                            .minus(Placement.need(request, view))
                            .exceeded()
                            .isPresent();
        }

        private Verdict take(NodeRequest request, List<NodeRequest> servable) {
            Optional<Reason> overTenant = reserveForTenant(request);
            if (overTenant.isPresent()) {
                refused(request);
                return new Verdict.Defer(overTenant.get());
            }
            NodeRequestHandler handler = handler(request);
            Plan plan = plan(request, handler);
            if (plan.shortage().isPresent() && request.isMinReady()) {
                return refuseStock(request, plan);
            }
            claims.take(request, view.pool(), plan, handler);
            if (plan.shortage().isPresent()) {
                closed = Optional.of(BEHIND);
                rooms.makeRoom(snapshot, stock);
                return new Verdict.Defer(plan.shortage().get());
            }
            turns.taken(request, servable);
            return new Verdict.Accept();
        }

        /** There is no room below its tenant's limit: none is left to those behind it, unless it could never fit. */
        void refused(NodeRequest request) {
            QuotaInformation need = Placement.need(request, view);
            request.asker()
                    .tenantName()
                    .filter(tenant -> means.tenants().couldFit(tenant, need))
                    .ifPresent(atLimit::add);
        }

        private Optional<Reason> reserveForTenant(NodeRequest request) {
            QuotaInformation need = Placement.need(request, view);
            return request.asker()
                    .tenantName()
                    .flatMap(tenant -> means.tenants().reserve(request.id(), tenant, need));
        }

        private Verdict refuseStock(NodeRequest request, Plan plan) {
            claims.undo(request, plan);
            stock.giveBack(plan.reused());
            Reason no = Reason.of(
                    Reason.Code.MIN_READY_AT_QUOTA,
                    plan.shortage().orElseThrow().detail());
            claims.decline(request, no);
            return new Verdict.Decline(no);
        }

        /** Where nothing can be launched: all nodes or none, and who came first has the first choice of what is free. */
        private Verdict takeFree(NodeRequest request) {
            NodeRequestHandler handler = handler(request);
            Plan plan = plan(request, handler);
            if (plan.shortage().isPresent()) {
                if (!stock.couldServe(request.wanted().nodeTypes())) {
                    stock.giveBack(plan.reused());
                }
                return new Verdict.Defer(plan.shortage().get());
            }
            claims.take(request, view.pool(), plan, handler);
            return new Verdict.Accept();
        }

        private NodeRequestHandler handler(NodeRequest request) {
            return generation.orElseThrow().provider().getRequestHandler(view.pool(), request);
        }

        private Plan plan(NodeRequest request, NodeRequestHandler handler) {
            return new Planner(means, view, snapshot)
                    .plan(request, request.wanted().nodeTypes(), List.of(), handler, stock);
        }
    }

    /**
     * Looks at every waiting request.
     *
     * @param full whether a request in hand waits for room, so that no other is taken
     */
    void look(Snapshot snapshot, PoolView view, Stock stock, boolean full) {
        List<Judging.Judged> all = judging.look(snapshot, view);
        Look look = new Look(snapshot, view, stock, full, new TenantQueue(all, view, means.tenants()));
        Instant now = means.clock().instant();
        List<NodeRequest> servable = all.stream()
                .filter(judged -> judged.verdict() instanceof Verdict.Accept)
                .map(Judging.Judged::request)
                .filter(request -> !hand.isBusyWith(request, now))
                .toList();
        turns.before(servable).ifPresent(first -> answer(look, first, new Verdict.Accept(), servable));
        for (Judging.Judged judged : all) {
            if (!hand.isBusyWith(judged.request(), now)) {
                answer(look, judged.request(), judged.verdict(), servable);
            }
        }
    }

    private void answer(Look look, NodeRequest request, Verdict judged, List<NodeRequest> servable) {
        Verdict verdict = judged;
        if (judged instanceof Verdict.Accept) {
            verdict = look.answer(request, servable);
        } else if (judged instanceof Verdict.Decline no) {
            claims.decline(request, no.because());
        } else if (judged instanceof Verdict.Defer wait && wait.until().code() == Reason.Code.TENANT_LIMIT) {
            look.refused(request);
        }
        journal.note(request, verdict);
    }
}
