package nodepool.launcher;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import nodepool.api.driver.HostKeyScanner;
import nodepool.api.driver.LabelConfig;
import nodepool.api.driver.NodeRequestHandler;
import nodepool.api.driver.PoolConfig;
import nodepool.api.event.Event;
import nodepool.api.image.ImageUpload;
import nodepool.api.json.JsonValue;
import nodepool.api.node.Node;
import nodepool.api.node.NodeState;
import nodepool.api.registry.ComponentRegistry;
import nodepool.api.registry.Registration;
import nodepool.api.request.NodeRequest;
import nodepool.api.request.RequestState;
import nodepool.api.store.LockedRequest;
import nodepool.api.store.Snapshot;
import nodepool.api.store.SnapshotSource.Subscription;
import nodepool.api.store.Stores;
import nodepool.api.verdict.Reason;
import nodepool.api.verdict.Verdict;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One provider pool: judges requests, takes those it can serve, and brings them to their end. All of its state is confined
 * to its loop.
 */
final class PoolWorker {

    private static final Duration SAFETY_PASS = Duration.ofSeconds(30);
    private static final Duration ROOM_BRAKE = Duration.ofMinutes(5);

    /** What a worker needs to know of the configuration, read at every pass. */
    interface Surroundings {
        PoolView view(PoolWorker worker, Snapshot snapshot, PoolConfig pool);
    }

    private final String poolName;
    private final String launcherId;
    private final NodeLaunch.Means means;
    private final String hostname;
    private final Surroundings surroundings;
    private final Loop loop;
    private final Logger log;
    private final Map<String, HandledRequest> handled = new LinkedHashMap<>();
    private final Set<String> inHand = new HashSet<>();
    private final Map<String, Long> lostRaces = new HashMap<>();
    private final Map<String, Verdict> verdicts = new HashMap<>();
    private final Set<String> finished = new HashSet<>();
    private final List<Subscription> subscriptions = new ArrayList<>();
    private Optional<ComponentRegistry.Own> registration = Optional.empty();
    private boolean registering;
    private boolean paused;
    private boolean makingRoom;
    private boolean retired;
    private Instant lastSafetyPass = Instant.MIN;
    private List<Registration.Pool> registered = List.of();
    private final CompletableFuture<Void> gone = new CompletableFuture<>();

    PoolWorker(
            ProviderSlot slot,
            String poolName,
            String launcherId,
            String hostname,
            Clock clock,
            Stores stores,
            HostKeyScanner scanner,
            EventBroadcast events,
            Surroundings surroundings) {
        String name = "PoolWorker." + slot.name() + "-" + poolName;
        this.log = LoggerFactory.getLogger("nodepool." + name);
        this.poolName = poolName;
        this.launcherId = launcherId;
        this.hostname = hostname;
        this.surroundings = surroundings;
        this.loop = new Loop(name, this::pass, bug -> log.error("Error in PoolWorker", bug));
        this.means = new NodeLaunch.Means(loop, clock, stores, scanner, slot, events);
    }

    void start() {
        log.info("Starting {}", launcherId);
        subscriptions.add(stores().snapshots().onChange(loop::wake));
        loop.wakeEvery(SAFETY_PASS);
        loop.wake();
    }

    Loop loop() {
        return loop;
    }

    Stores stores() {
        return means.stores();
    }

    Clock clock() {
        return means.clock();
    }

    ProviderSlot slot() {
        return means.slot();
    }

    NodeLaunch.Means means() {
        return means;
    }

    String launcherId() {
        return launcherId;
    }

    String poolName() {
        return poolName;
    }

    /**
     * Takes nothing more, withdraws the registration, and completes when what is in hand has ended.
     *
     * @param now whether to give back at once what is in hand, instead of finishing it
     */
    CompletionStage<Void> retire(boolean now) {
        loop.execute(() -> {
            retired = true;
            registration.ifPresent(ComponentRegistry.Own::close);
            registration = Optional.empty();
            if (now) {
                List.copyOf(handled.values()).forEach(HandledRequest::giveBack);
            }
            endIfDone();
        });
        return gone;
    }

    private void endIfDone() {
        if (retired && handled.isEmpty() && inHand.isEmpty() && !gone.isDone()) {
            subscriptions.forEach(Subscription::close);
            loop.close();
            gone.complete(null);
            log.info("Stopped {}", launcherId);
        }
    }

    private void pass() {
        Optional<Snapshot> now = stores().snapshots().current();
        Optional<PoolConfig> pool = slot().config().pool(poolName);
        if (now.isEmpty() || pool.isEmpty()) {
            return;
        }
        Snapshot snapshot = now.get();
        safetyPass();
        slot().refresh(snapshot);
        List.copyOf(handled.values()).forEach(request -> request.look(snapshot));
        sweep(snapshot);
        if (retired) {
            endIfDone();
            return;
        }
        publish(pool.get());
        registered = snapshot.components().stream()
                .flatMap(component -> component.pool().stream())
                .toList();
        if (registered.stream().noneMatch(other -> other.id().equals(launcherId))) {
            return; // The registry is not current: deciding on it could fail requests that others can serve.
        }
        PoolView view = surroundings.view(this, snapshot, pool.get());
        boolean full = refill(snapshot, view);
        full |= take(snapshot, view, full);
        if (full != paused) {
            paused = full;
            publish(pool.get());
        }
    }

    /** Forgets lost races now and then, in case whoever won them is gone without a trace. */
    private void safetyPass() {
        Instant now = clock().instant();
        if (lastSafetyPass.plus(SAFETY_PASS).isBefore(now)) {
            lastSafetyPass = now;
            lostRaces.clear();
            slot().ledger().tryAgain();
        }
    }

    private void publish(PoolConfig pool) {
        Registration facts = new Registration(
                hostname,
                Registration.Kind.POOL,
                0,
                "running",
                Optional.empty(),
                Optional.of(new Registration.Pool(
                        launcherId,
                        Optional.of(poolName),
                        slot().name(),
                        List.copyOf(pool.labelNames()),
                        pool.priority(),
                        paused)));
        if (registration.isPresent()) {
            registration.get().publish(facts);
        } else if (!registering) {
            registering = true;
            loop.after(stores().components().register(facts), (own, failure) -> {
                registering = false;
                if (own != null && retired) {
                    own.close();
                } else {
                    registration = Optional.ofNullable(own);
                    loop.wake();
                }
            });
        }
    }

    /** Removes what is left of requests this pool has finished and whose requestors have removed them. */
    private void sweep(Snapshot snapshot) {
        finished.removeIf(id -> {
            boolean over = snapshot.request(id).isEmpty();
            if (over) {
                Loop.begin(stores().requests().sweep(id), log);
            }
            return over;
        });
        verdicts.keySet().removeIf(id -> snapshot.request(id).isEmpty());
        lostRaces.keySet().removeIf(id -> snapshot.request(id).isEmpty());
    }

    private Stock stock(Snapshot snapshot) {
        Set<String> taken = new HashSet<>();
        handled.values().forEach(request -> taken.addAll(request.taken()));
        return Stock.of(snapshot, slot().name(), poolName, taken);
    }

    /** Looks for nodes again for requests in hand that lack some. Returns whether there was no room. */
    private boolean refill(Snapshot snapshot, PoolView view) {
        List<HandledRequest> waiting = handled.values().stream()
                .filter(HandledRequest::isWaitingForRoom)
                .sorted(Comparator.comparing(HandledRequest::request, NodeRequest.ORDER))
                .toList();
        if (waiting.isEmpty()) {
            return false;
        }
        Stock stock = stock(snapshot);
        boolean full = false;
        for (HandledRequest request : waiting) {
            Optional<Reason> no = Placement.mustDecline(request.request(), view);
            if (no.isPresent()) {
                request.decline(no.get());
            } else if (!fill(request, view, stock)) {
                full = true;
            }
        }
        return full;
    }

    /** Finds nodes for the open seats of a request in hand. Returns false if there was no room for all. */
    private boolean fill(HandledRequest request, PoolView view, Stock stock) {
        Optional<RunningProvider> generation = slot().current();
        if (generation.isEmpty()) {
            return true;
        }
        NodeRequestHandler handler = generation.get().provider().getRequestHandler(view.pool(), request.request());
        for (int seat : request.open()) {
            String label = request.label(seat);
            Optional<Node> ready = request.request().wanted().reuse()
                    ? stock.take(label, node -> handler.checkReusableNode(node, request.nodes()))
                    : Optional.empty();
            if (ready.isPresent()) {
                request.reuse(seat, ready.get(), handler);
                continue;
            }
            if (!view.launches()) {
                request.giveBack();
                return true;
            }
            Object token = new Object();
            Optional<Reason> no = reserve(token, view, label);
            if (no.isPresent()) {
                if (request.request().isMinReady()) {
                    request.decline(
                            Reason.of(Reason.Code.MIN_READY_AT_QUOTA, no.get().detail()));
                    return true;
                }
                makeRoom(stock);
                return false;
            }
            record(
                    request,
                    seat,
                    handler.setNodeMetadata(draft(request.request(), view, label), request.nodes()),
                    token);
        }
        return true;
    }

    private Optional<Reason> reserve(Object token, PoolView view, String label) {
        return slot().ledger()
                .reserve(
                        token,
                        view.pool(),
                        view.facts().need(poolName, label),
                        view.facts().limits());
    }

    private Node draft(NodeRequest request, PoolView view, String label) {
        Instant now = clock().instant();
        JsonValue attributes = view.pool().nodeAttributes();
        Node.Machine machine = Node.Machine.NONE
                .withLauncher(launcherId, now)
                .withResources(view.facts().need(poolName, label))
                .withAttributes(attributes);
        Node draft = Node.draft(NodeState.INIT, List.of(label), Node.Place.in(slot().name(), poolName), machine, now)
                .withAllocation(Node.Allocation.to(request));
        return view.pool()
                .label(label)
                .map(config ->
                        draft.withConnection(config.connection()).withMachine(machine.withImageId(imageId(config))))
                .orElse(draft);
    }

    private Optional<String> imageId(LabelConfig label) {
        return label.diskImage()
                .flatMap(image -> stores().snapshots()
                        .current()
                        .flatMap(now -> now.currentUpload(image, slot().name()))
                        .map(ImageUpload::path))
                .or(label::cloudImage);
    }

    private void record(HandledRequest request, int seat, Node draft, Object token) {
        request.reserved(seat);
        loop.after(
                stores().requests().createNodes(new LockedRequest(request.request(), request.lock()), List.of(draft)),
                (nodes, failure) -> {
                    if (nodes == null || nodes.isEmpty()) {
                        slot().ledger().release(token);
                        request.unreserved(seat);
                        loop.wake();
                    } else {
                        launch(request, seat, nodes.get(0), token);
                    }
                });
    }

    private void launch(HandledRequest request, int seat, Node node, Object token) {
        slot().config()
                .pool(poolName)
                .flatMap(pool -> pool.label(request.label(seat)))
                .ifPresentOrElse(label -> request.launch(seat, node, label, token), () -> {
                    slot().ledger().release(token);
                    request.unreserved(seat);
                    loop.wake();
                });
    }

    /** Looks at every waiting request in order. Returns whether some waits for room. */
    private boolean take(Snapshot snapshot, PoolView view, boolean alreadyFull) {
        Stock stock = stock(snapshot);
        boolean full = alreadyFull;
        for (NodeRequest request : inOrder(snapshot, view)) {
            if (inHand.contains(request.id())
                    || handled.containsKey(request.id())
                    || Long.valueOf(request.stored().transaction()).equals(lostRaces.get(request.id()))) {
                continue;
            }
            Verdict verdict = Placement.judge(request, view);
            if (verdict instanceof Verdict.Accept) {
                verdict = full && view.launches()
                        ? new Verdict.Defer(
                                Reason.of(Reason.Code.POOL_PAUSED, "waits behind requests that came before it"))
                        : tryTaking(request, view, stock);
                full |= verdict instanceof Verdict.Defer defer
                        && (defer.until().code() == Reason.Code.QUOTA_FULL
                                || defer.until().code() == Reason.Code.POOL_PAUSED);
            } else if (verdict instanceof Verdict.Decline no) {
                decline(request, no.because());
            }
            note(request, verdict);
        }
        return full;
    }

    private List<NodeRequest> inOrder(Snapshot snapshot, PoolView view) {
        List<NodeRequest> servable = new ArrayList<>();
        List<NodeRequest> others = new ArrayList<>();
        for (NodeRequest request : snapshot.requests()) {
            if (request.state() == RequestState.REQUESTED) {
                (Placement.missingLabels(request, view.labels()) == 0 ? servable : others).add(request);
            }
        }
        others.sort(Comparator.comparing(request -> Placement.missingLabels(request, view.labels())));
        servable.addAll(others);
        return servable;
    }

    /** One way to serve a request: a ready node or room for a new one for each label. */
    private record Plan(List<Optional<Node>> ready, List<Optional<Object>> tokens, List<Node> drafts) {}

    private Verdict tryTaking(NodeRequest request, PoolView view, Stock stock) {
        int limit = slot().config().maxConcurrency();
        if (view.launches() && limit > 0 && slot().launching().get() >= limit) {
            return new Verdict.Defer(Reason.of(
                    Reason.Code.MAX_CONCURRENCY,
                    "%d launches under way, %d allowed"
                            .formatted(slot().launching().get(), limit)));
        }
        RunningProvider generation = slot().current().orElseThrow();
        NodeRequestHandler handler = generation.provider().getRequestHandler(view.pool(), request);
        Plan plan = new Plan(new ArrayList<>(), new ArrayList<>(), new ArrayList<>());
        List<Node> chosen = new ArrayList<>();
        for (String label : request.wanted().nodeTypes()) {
            Optional<Node> ready = request.wanted().reuse()
                    ? stock.take(label, node -> handler.checkReusableNode(node, chosen))
                    : Optional.empty();
            plan.ready().add(ready);
            Optional<Reason> no = Optional.empty();
            if (ready.isPresent()) {
                plan.tokens().add(Optional.empty());
                chosen.add(ready.get());
            } else if (!view.launches()) {
                no = Optional.of(Reason.of(Reason.Code.NO_FREE_NODE, "no free node has label " + label));
            } else {
                Object token = new Object();
                no = reserve(token, view, label);
                plan.tokens().add(Optional.of(token));
                Node draft = handler.setNodeMetadata(draft(request, view, label), chosen);
                plan.drafts().add(draft);
                chosen.add(draft);
            }
            if (no.isPresent()) {
                return noRoom(request, plan, stock, no.get());
            }
        }
        claim(request, view.pool(), plan, handler);
        return new Verdict.Accept();
    }

    private Verdict noRoom(NodeRequest request, Plan plan, Stock stock, Reason why) {
        plan.tokens().forEach(token -> token.ifPresent(slot().ledger()::release));
        stock.giveBack(plan.ready().stream().flatMap(Optional::stream).toList());
        if (why.code() != Reason.Code.QUOTA_FULL) {
            return new Verdict.Defer(why);
        }
        if (request.isMinReady()) {
            Reason no = Reason.of(Reason.Code.MIN_READY_AT_QUOTA, why.detail());
            decline(request, no);
            return new Verdict.Decline(no);
        }
        makeRoom(stock);
        return new Verdict.Defer(why);
    }

    private void claim(NodeRequest request, PoolConfig pool, Plan plan, NodeRequestHandler handler) {
        inHand.add(request.id());
        log.info("Assigning node request {}", request.id());
        NodeRequest pending = request.withState(RequestState.PENDING, clock().instant());
        loop.after(stores().requests().claim(request, pending, plan.drafts()), (found, failure) -> {
            inHand.remove(request.id());
            var claim = Outcome.value(found);
            if (failure != null && !Outcome.isSessionLost(failure)) {
                log.error("Could not take node request {}", request.id(), failure);
            }
            if (claim.isEmpty()) {
                plan.tokens().forEach(token -> token.ifPresent(slot().ledger()::release));
                lostRaces.put(request.id(), request.stored().transaction());
                loop.wake();
                return;
            }
            HandledRequest taken = new HandledRequest(this, pool, claim.get().request());
            handled.put(request.id(), taken);
            int next = 0;
            for (int seat = 0; seat < plan.ready().size(); seat++) {
                Optional<Node> ready = plan.ready().get(seat);
                if (ready.isPresent()) {
                    taken.reuse(seat, ready.get(), handler);
                } else {
                    launch(
                            taken,
                            seat,
                            claim.get().nodes().get(next++),
                            plan.tokens().get(seat).orElseThrow());
                }
            }
        });
    }

    private void decline(NodeRequest seen, Reason why) {
        inHand.add(seen.id());
        loop.after(stores().requests().tryLock(seen.id()), (found, failure) -> {
            var locked = Outcome.value(found);
            if (locked.isEmpty()) {
                inHand.remove(seen.id());
                lostRaces.put(seen.id(), seen.stored().transaction());
                return;
            }
            NodeRequest fresh = locked.get().request();
            boolean stale = fresh.state() != RequestState.REQUESTED
                    || fresh.declinedBy().contains(launcherId);
            CompletionStage<?> end;
            if (stale) {
                end = stores().requests().unlock(locked.get().lock());
            } else {
                log.info("Declining node request {} due to {}", fresh.id(), why.detail());
                end = stores().requests().finish(locked.get().with(declined(fresh)), List.of());
            }
            loop.after(end, (done, failed) -> {
                inHand.remove(seen.id());
                finished.add(seen.id());
                loop.wake();
            });
        });
    }

    /** The request as this pool declines it: failed when every registered pool has. */
    NodeRequest declined(NodeRequest request) {
        NodeRequest declined = request.declinedAlsoBy(launcherId).withNodes(List.of());
        boolean byAll =
                registered.stream().allMatch(other -> declined.declinedBy().contains(other.id()));
        return declined.withState(byAll ? RequestState.FAILED : RequestState.REQUESTED, clock().instant());
    }

    /** A request in hand has ended. */
    void ended(HandledRequest request, Optional<RequestState> state) {
        String id = request.request().id();
        handled.remove(id);
        finished.add(id);
        state.ifPresent(now -> means.events().on(new Event.RequestChanged(id, slot().name(), poolName, now)));
        endIfDone();
        loop.wake();
    }

    /** The cloud had less room than we thought. */
    void refusedByCloud(Reason why) {
        log.info("Not enough quota remaining: {}", why.detail());
    }

    private void note(NodeRequest request, Verdict verdict) {
        if (!verdict.equals(verdicts.put(request.id(), verdict))) {
            means.events().on(new Event.Judged(request.id(), slot().name(), poolName, verdict));
            log.debug("Node request {}: {}", request.id(), verdict);
        }
    }

    /** Gives up the node that has been ready longest, so that a pool full of the wrong labels does not wedge. */
    private void makeRoom(Stock stock) {
        Optional<Snapshot> now = stores().snapshots().current();
        Optional<Node> oldest = stock.oldest();
        if (makingRoom || now.isEmpty() || oldest.isEmpty() || wasRoomMade(now.get())) {
            return;
        }
        makingRoom = true;
        loop.after(stores().nodes().tryLock(oldest.get().id()), (found, failure) -> {
            var locked = Outcome.value(found);
            if (locked.isEmpty()) {
                makingRoom = false;
                return;
            }
            Node node = locked.get().node();
            boolean free = node.state() == NodeState.READY && !node.isAllocated();
            if (free) {
                log.info("Deleting ready node {} to make room", node.id());
            }
            CompletionStage<?> end = free
                    ? stores().nodes().finish(locked.get().with(node.withState(NodeState.DELETING, clock().instant())))
                    : stores().nodes().unlock(locked.get().lock());
            loop.after(end, (done, failed) -> makingRoom = false);
        });
    }

    /** One node at a time: while one is on its way out, and not stuck there, no other is given up. */
    private boolean wasRoomMade(Snapshot snapshot) {
        Instant recently = clock().instant().minus(ROOM_BRAKE);
        return snapshot.nodesOf(slot().name()).stream()
                .anyMatch(node -> node.isIn(slot().name(), poolName)
                        && node.state() == NodeState.DELETING
                        && node.stateTime().isAfter(recently));
    }
}
