package nodepool.launcher;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import nodepool.api.driver.HostKeyScanner;
import nodepool.api.driver.PoolConfig;
import nodepool.api.event.Event;
import nodepool.api.event.EventListener;
import nodepool.api.quota.QuotaInformation;
import nodepool.api.registry.Registration;
import nodepool.api.request.NodeRequest;
import nodepool.api.request.RequestState;
import nodepool.api.store.Snapshot;
import nodepool.api.store.SnapshotSource.Subscription;
import nodepool.api.store.Stores;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One provider pool: takes the requests it can serve and brings them to their end. Everything about it happens on one loop,
 * in passes; a pass works from one snapshot. Start reading at {@link #pass}.
 */
final class PoolWorker implements HandledRequest.Owner {

    private static final Duration SAFETY_PASS = Duration.ofSeconds(30);

    /** What a worker needs to know of the rest of the launcher, read at every pass. */
    interface Surroundings {

        PoolView view(PoolWorker worker, Snapshot snapshot, PoolConfig pool);

        Map<String, QuotaInformation> tenantLimits();
    }

    private final PoolMeans means;
    private final Surroundings surroundings;
    private final Logger log;
    private final Hand hand = new Hand();
    private final PoolRegistration registration;
    private final Recovery recovery;
    private final Journal journal;
    private final RequestRefill refill;
    private final RequestIntake intake;
    private final List<Subscription> subscriptions = new ArrayList<>();
    private final CompletableFuture<Void> gone = new CompletableFuture<>();
    private List<Registration.Pool> registered = List.of();
    private boolean retired;
    private boolean stopping;
    private Instant nextSafetyPass = Instant.MIN;

    PoolWorker(
            ProviderSlot slot,
            String poolName,
            String launcherId,
            String hostname,
            Clock clock,
            Stores stores,
            HostKeyScanner scanner,
            TenantLedger tenants,
            EventListener events,
            Surroundings surroundings) {
        String name = "PoolWorker." + slot.name() + "-" + poolName;
        this.log = LoggerFactory.getLogger("nodepool." + name);
        this.surroundings = surroundings;
        Loop loop = new Loop(name, this::timedPass, bug -> log.error("Error in PoolWorker", bug));
        this.means = new PoolMeans(poolName, launcherId, loop, clock, stores, scanner, slot, tenants, events);
        this.registration = new PoolRegistration(means, hostname);
        this.recovery = new Recovery(means, hand, this, log);
        this.journal = new Journal(means, log);
        RoomMaker rooms = new RoomMaker(means);
        this.refill = new RequestRefill(means, hand, rooms, journal);
        RequestClaims claims = new RequestClaims(means, hand, this, journal, log);
        this.intake = new RequestIntake(means, hand, claims, rooms, journal);
    }

    void start() {
        log.info("Starting {}", means.launcherId());
        subscriptions.add(means.stores().snapshots().onChange(means.loop()::wake));
        means.loop().wakeEvery(SAFETY_PASS);
        means.loop().wake();
    }

    Loop loop() {
        return means.loop();
    }

    ProviderSlot slot() {
        return means.slot();
    }

    String launcherId() {
        return means.launcherId();
    }

    /**
     * The pool is no longer configured: it takes nothing more, withdraws its registration, and completes when what is in
     * hand has ended.
     */
    CompletionStage<Void> retire() {
        return leave(() -> {
            Loop.begin(registration.withdraw(), log);
            giveBackIdle();
        });
    }

    /**
     * The process ends: it takes nothing more and lets go of what is in hand, for others to go on with. The registration
     * goes last, because others look for what was left when they see it go.
     */
    CompletionStage<Void> stop() {
        return leave(() -> {
            stopping = true;
            handOver();
        });
    }

    private void handOver() {
        hand.all().forEach(HandledRequest::handOver);
    }

    private CompletionStage<Void> leave(Runnable how) {
        loop().execute(() -> {
            retired = true;
            how.run();
            endIfDone();
        });
        return gone;
    }

    private void endIfDone() {
        if (retired && hand.isEmpty() && !gone.isDone()) {
            subscriptions.forEach(Subscription::close);
            registration.withdraw().whenComplete((done, failure) -> {
                loop().close();
                gone.complete(null);
                log.info("Stopped {}", means.launcherId());
            });
        }
    }

    private void timedPass() {
        Instant begun = means.clock().instant();
        pass();
        Duration took = Duration.between(begun, means.clock().instant());
        means.events().on(new Event.PoolPassed(slot().name(), means.poolName(), took));
    }

    private void pass() {
        Optional<Snapshot> now = means.stores().snapshots().current();
        Optional<PoolConfig> pool = slot().config().pool(means.poolName());
        if (stopping) {
            handOver(); // A claim may have been under way.
            endIfDone();
            return;
        }
        if (now.isEmpty()) {
            return;
        }
        Snapshot snapshot = now.get();
        safetyPass();
        slot().refresh(snapshot);
        means.tenants().refresh(snapshot, surroundings.tenantLimits());
        hand.all().forEach(request -> request.look(snapshot));
        sweep(snapshot);
        if (retired || pool.isEmpty()) {
            endIfDone();
            return;
        }
        boolean marked = snapshot.mark(slot().name()).isPresent();
        registration.publish(pool.get(), marked || hand.isPaused());
        registered = Registry.pools(snapshot);
        if (!registration.isShownIn(snapshot)) {
            return; // The registry is not current: deciding on it could fail requests that others can serve.
        }
        recovery.look(snapshot, pool.get());
        if (Draining.isDrained(slot().name(), snapshot)) {
            giveBackIdle();
        }
        PoolView view = surroundings.view(this, snapshot, pool.get());
        Stock stock = Stock.of(snapshot, slot().name(), means.poolName(), hand.takenNodes());
        boolean full = refill.look(snapshot, view, stock);
        intake.look(snapshot, view, stock, full);
        registration.publish(pool.get(), marked || hand.isPaused());
    }

    /** What waits for room in hand can as well wait where others see it. */
    private void giveBackIdle() {
        hand.waiting().stream().filter(HandledRequest::isIdle).forEach(HandledRequest::giveBack);
    }

    /** What is tried again now and then, in case an event was lost. */
    private void safetyPass() {
        Instant now = means.clock().instant();
        if (!nextSafetyPass.isAfter(now)) {
            nextSafetyPass = now.plus(SAFETY_PASS);
            slot().ledger().tryAgain();
        }
    }

    /** Removes what is left of requests this pool has finished and whose requestors have removed them. */
    private void sweep(Snapshot snapshot) {
        for (String id : hand.forgetGone(snapshot)) {
            Loop.begin(means.stores().requests().sweep(id), log);
        }
        journal.forgetGone(snapshot);
    }

    /** Failed when every registered pool has declined it. */
    @Override
    public NodeRequest declined(NodeRequest request) {
        NodeRequest declined = request.declinedAlsoBy(means.launcherId()).withNodes(List.of());
        boolean byAll =
                registered.stream().allMatch(other -> declined.declinedBy().contains(other.id()));
        return declined.withState(
                byAll ? RequestState.FAILED : RequestState.REQUESTED,
                means.clock().instant());
    }

    @Override
    public void ended(HandledRequest request, Optional<RequestState> state) {
        String id = request.request().id();
        hand.remove(request);
        means.tenants().release(id);
        state.ifPresent(now -> means.events().on(new Event.RequestChanged(id, slot().name(), means.poolName(), now)));
        endIfDone();
        loop().wake();
    }

    @Override
    public Journal journal() {
        return journal;
    }

    @Override
    public Overshoot overshoot() {
        ProviderFacts facts = slot().facts();
        PoolConfig pool = slot().config().pool(means.poolName()).orElseThrow();
        return new Overshoot(pool, facts.limits(), surroundings.tenantLimits(), facts::need);
    }
}
