package nodepool.launcher;

import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import nodepool.api.driver.CloudException;
import nodepool.api.driver.CloudException.Fault;
import nodepool.api.driver.Instance;
import nodepool.api.driver.LabelConfig;
import nodepool.api.driver.PoolConfig;
import nodepool.api.driver.Step;
import nodepool.api.node.Node;
import nodepool.api.node.NodeState;
import nodepool.api.request.NodeRequest;
import nodepool.api.store.LockedNode;
import nodepool.api.store.NodeMemo;
import nodepool.api.verdict.Reason;

/**
 * Makes one node's machine: attempt by attempt, step by step, the memory stored before the next step is taken. Confined to
 * the pool's loop; the steps themselves run on the provider's executor.
 */
final class NodeLaunch {

    private static final Duration WAIT_AFTER_REFUSAL = Duration.ofSeconds(1);
    private static final Duration CLEAN_UP_LIMIT = Duration.ofMinutes(10);

    /** How a launch ends. */
    interface Ended {
        /** The machine can be used; the node is ready in memory and not stored so yet. */
        void ready(LockedNode node);

        /** The cloud has no room: the node is aborted, released and to be replaced. */
        void aborted(Reason why);

        /** Every attempt failed; the node is failed and released. */
        void failed(Reason why);

        /** The session is gone and the node with it. */
        void lost();

        /** It stopped on demand; the node and its memory stay as they are. */
        void suspended();
    }

    private final PoolMeans means;
    private final PoolConfig pool;
    private final LabelConfig label;
    private final Ended ended;
    private final LaunchReport report;
    private final LaunchOrder order;
    private final Arrival arrival;
    private final CompletableFuture<Void> stopped = new CompletableFuture<>();
    private LockedNode locked;
    private NodeMemo memo;
    private boolean waitsForProvider;
    private boolean suspending;
    private boolean stepping;
    private boolean over;

    NodeLaunch(
            PoolMeans means,
            Journal journal,
            NodeRequest request,
            PoolConfig pool,
            LabelConfig label,
            LockedNode building,
            NodeMemo memo,
            Ended ended) {
        this.means = means;
        this.pool = pool;
        this.label = label;
        this.locked = building;
        this.memo = memo;
        this.ended = ended;
        this.report = new LaunchReport(
                means, journal, request, label.name(), means.clock().instant());
        this.order = new LaunchOrder(means, request, pool, label);
        this.arrival = new Arrival(means, pool, label, report::scanning);
    }

    /** The memory a launch starts with. */
    static NodeMemo firstMemo(Instant now) {
        return new NodeMemo(NodeMemo.Phase.CREATE, 1, now, Optional.empty(), Map.of());
    }

    LockedNode node() {
        return locked;
    }

    /** Whether it can do nothing because no provider is in service. */
    boolean waitsForProvider() {
        return waitsForProvider;
    }

    /** Goes on if it waits for the provider to be in service. */
    void wake() {
        if (waitsForProvider) {
            waitsForProvider = false;
            step();
        }
    }

    /**
     * Takes no other step. What the step under way learns is still stored, so that whoever goes on need not find it out.
     *
     * @return completes when no step is under way
     */
    CompletionStage<Void> suspend() {
        suspending = true;
        if (!stepping) {
            stop();
        }
        return stopped;
    }

    private void stop() {
        end(ended::suspended);
    }

    /** Takes the next step. */
    void step() {
        stepping = false;
        if (over) {
            return;
        }
        if (!locked.lock().isHeld()) {
            end(ended::lost);
            return;
        }
        if (suspending) {
            stop();
            return;
        }
        Optional<RunningProvider> provider = means.slot().current();
        if (provider.isEmpty()) {
            waitsForProvider = true;
            return;
        }
        stepping = true;
        RunningProvider generation = provider.get();
        boolean cleaning = memo.phase() == NodeMemo.Phase.CLEAN_UP;
        Duration limit = cleaning ? CLEAN_UP_LIMIT : generation.config().launchTimeout();
        if (Duration.between(memo.since(), means.clock().instant()).compareTo(limit) > 0) {
            failed(
                    new CloudException(Fault.TIMEOUT, "Timeout waiting for instance creation"),
                    AfterFault.ofDelay(memo, attempts()));
            return;
        }
        Map<String, String> steps = memo.steps();
        CompletionStage<Step> call = cleaning
                ? generation.call(() -> generation.provider().cleanupNode(locked.node(), steps))
                : order.next(generation, locked.node(), memo);
        means.loop().after(call, (step, failure) -> {
            if (failure != null) {
                stepFailed(Outcome.asCloud(failure));
            } else {
                stepped(Objects.requireNonNull(step, "step"));
            }
        });
    }

    private void stepped(Step step) {
        if (step instanceof Step.Again again) {
            remember(again);
        } else if (step instanceof Step.Done done) {
            arrived(done.instance());
        } else {
            nextAttempt();
        }
    }

    /** Stores what the step learned while the pause before the next step runs. */
    private void remember(Step.Again again) {
        Instant due = means.clock().instant().plus(again.notBefore());
        Optional<String> id = again.externalId().or(memo::externalId);
        NodeMemo next = memo.after(again.memo(), id);
        if (next.equals(memo)) {
            pause(again.notBefore());
            return;
        }
        memo = next;
        Runnable goOn = () -> pause(Duration.between(means.clock().instant(), due));
        if (id.isPresent() && !id.equals(locked.node().machine().externalId())) {
            LockedNode named = locked.with(
                    locked.node().withMachine(locked.node().machine().withExternalId(id)));
            store(means.stores().nodes().write(named, next), goOn);
        } else {
            means.loop().after(means.stores().nodes().remember(locked, next), (done, failure) -> {
                if (Outcome.isSessionLost(failure)) {
                    end(ended::lost);
                } else {
                    goOn.run();
                }
            });
        }
    }

    private void pause(Duration length) {
        stepping = false;
        if (suspending) {
            step();
        } else {
            means.loop().in(length, this::step);
        }
    }

    private void store(CompletionStage<Optional<LockedNode>> write, Runnable then) {
        means.loop().after(write, (written, failure) -> {
            Optional<LockedNode> now = Outcome.value(written);
            if (failure != null || now.isEmpty()) {
                end(ended::lost);
            } else {
                locked = now.get();
                then.run();
            }
        });
    }

    private void arrived(Instance instance) {
        memo = memo.after(memo.steps(), Optional.of(instance.externalId()));
        stepping = false;
        means.loop().after(arrival.of(locked.node(), instance), (node, failure) -> {
            if (over) {
                return; // Suspended meanwhile: whoever goes on finds the machine and scans it again.
            }
            if (node == null) {
                CloudException fault = Outcome.asCloud(Objects.requireNonNull(failure, "failure"));
                locked = locked.with(NodeFromInstance.apply(locked.node(), instance, pool));
                arrival.failed(locked.node(), fault);
                stepFailed(fault);
            } else {
                locked = locked.with(node);
                report.ready(node, memo.attempt());
                end(() -> ended.ready(locked));
            }
        });
    }

    private int attempts() {
        return means.slot().config().launchRetries();
    }

    private void stepFailed(CloudException fault) {
        failed(fault, AfterFault.ofStep(fault.fault(), memo, attempts()));
    }

    private void failed(CloudException fault, AfterFault then) {
        switch (then) {
            case SAME_STEP -> pause(fault.retryAfter().orElse(WAIT_AFTER_REFUSAL));
            case ABORT -> abort(fault);
            case NEXT_ATTEMPT -> nextAttempt();
            case CLEAN_UP -> attemptFailed(fault, false);
            case FAIL -> attemptFailed(fault, true);
        }
    }

    private void abort(CloudException fault) {
        Reason why = Reason.of(Reason.Code.QUOTA_FULL, String.valueOf(fault.getMessage()));
        means.slot().refusedForQuota();
        report.aborted(locked.node(), memo.attempt(), why);
        release(NodeState.ABORTED, () -> ended.aborted(why));
    }

    /** The machine's own last words are asked for first, if somebody wants them. */
    private void attemptFailed(CloudException fault, boolean last) {
        Optional<RunningProvider> provider = means.slot().current();
        if (label.consoleLog() && memo.externalId().isPresent() && provider.isPresent()) {
            Node asked = locked.node().withMachine(locked.node().machine().withExternalId(memo.externalId()));
            means.loop()
                    .after(
                            provider.get().call(() -> provider.get().provider().getConsoleLog(asked)),
                            (text, failure) -> attemptFailed(
                                    fault, last, Outcome.value(text).map(LaunchReport::tail)));
        } else {
            attemptFailed(fault, last, Optional.empty());
        }
    }

    private void attemptFailed(CloudException fault, boolean last, Optional<String> console) {
        Reason why = Reason.of(Reason.Code.LAUNCH_FAILED, String.valueOf(fault.getMessage()));
        report.failed(locked.node(), memo.attempt(), attempts(), last, fault, why, console);
        if (last) {
            release(NodeState.FAILED, () -> ended.failed(why));
            return;
        }
        memo = new NodeMemo(
                NodeMemo.Phase.CLEAN_UP, memo.attempt(), means.clock().instant(), memo.externalId(), Map.of());
        store(means.stores().nodes().write(locked, memo), this::step);
    }

    /** Nothing is left of the failed attempt: forget its id, begin the next one. */
    private void nextAttempt() {
        memo = new NodeMemo(
                NodeMemo.Phase.CREATE, memo.attempt() + 1, means.clock().instant(), Optional.empty(), Map.of());
        LockedNode fresh =
                locked.with(locked.node().withMachine(locked.node().machine().withExternalId(Optional.empty())));
        store(means.stores().nodes().write(fresh, memo), this::step);
    }

    /** Stores the final state with the external id, if there is one, and lets go: the deleted-node worker does the rest. */
    private void release(NodeState state, Runnable then) {
        Node last = locked.node()
                .withState(state, means.clock().instant())
                .withMachine(locked.node().machine().withExternalId(memo.externalId()));
        means.loop()
                .after(
                        means.stores().nodes().finish(locked.with(last)),
                        (done, failure) -> end(Outcome.isSessionLost(failure) ? ended::lost : then));
    }

    private void end(Runnable how) {
        if (!over) {
            over = true;
            how.run();
            stopped.complete(null);
        }
    }
}
