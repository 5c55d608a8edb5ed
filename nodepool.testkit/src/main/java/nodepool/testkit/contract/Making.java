package nodepool.testkit.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import nodepool.api.driver.CloudException;
import nodepool.api.driver.CloudException.Fault;
import nodepool.api.driver.Instance;
import nodepool.api.driver.Launch;
import nodepool.api.driver.NodeRequestHandler;
import nodepool.api.driver.Step;
import nodepool.api.node.Node;
import nodepool.api.node.NodeState;
import nodepool.api.request.NodeRequest;

/** The life of one node's machine, as a launcher drives it: step by step, the memory kept, three attempts. */
final class Making {

    /** How making a machine ends. */
    enum Outcome {
        READY,
        ABORTED,
        FAILED
    }

    private static final int ATTEMPTS = 3;
    private static final int MANY_STEPS = 5_000;
    private static final int MANY_TRIES = 20;
    private static final Duration SECOND = Duration.ofSeconds(1);

    private final SmallLauncher launcher;
    private final NodeRequest request;
    private Node node;
    private Map<String, String> memo = Map.of();
    private int steps;
    private int crashAfter;
    private final List<String> faults = new ArrayList<>();
    private Optional<Instance> instance = Optional.empty();

    Making(SmallLauncher launcher, String id) {
        this.launcher = launcher;
        Instant now = launcher.clock().instant();
        this.request = NodeRequest.draft(
                NodeRequest.Wanted.of(List.of(launcher.label())), NodeRequest.Asker.named("contract kit"), now);
        Node draft = Node.draft(
                        NodeState.BUILDING,
                        List.of(launcher.label()),
                        Node.Place.in(launcher.config().name(), launcher.pool().name()),
                        Node.Machine.NONE,
                        now)
                .withId(id);
        this.node = handler().setNodeMetadata(draft, List.of());
        launcher.records().put(node);
    }

    String id() {
        return node.id();
    }

    /** Steps taken since the last {@link #crashAfter}, making and removing together. */
    int steps() {
        return steps;
    }

    /** The machine, once it is ready. */
    Instance instance() {
        return instance.orElseThrow();
    }

    Map<String, String> metadata() {
        return Map.of(
                Launch.NODE_ID, node.id(),
                Launch.POOL_NAME, launcher.pool().name(),
                Launch.PROVIDER_NAME, launcher.config().name());
    }

    /** From now on: the result of the step of that number is lost with its launcher, and another goes on; 0: none is. */
    void crashAfter(int number) {
        steps = 0;
        crashAfter = number;
    }

    /** Makes the machine, in three attempts at most. */
    void makeReady() throws CloudException {
        assertEquals(Outcome.READY, make(), () -> "how making the machine ended after " + faults);
    }

    Outcome make() throws CloudException {
        return make(ATTEMPTS);
    }

    Outcome make(int attempts) throws CloudException {
        for (int attempt = 1; attempt <= attempts; attempt++) {
            try {
                if (attempt(attempt)) {
                    return Outcome.READY;
                }
            } catch (CloudException e) {
                faults.add(e.fault() + ": " + e.getMessage());
                if (e.fault() == Fault.QUOTA) {
                    return Outcome.ABORTED;
                }
                if (e.fault() == Fault.BAD_REQUEST || e.fault() == Fault.UNAUTHORIZED) {
                    return Outcome.FAILED;
                }
                removeMachine();
            }
            memo = Map.of();
            know(Optional.empty());
        }
        return Outcome.FAILED;
    }

    private boolean attempt(int number) throws CloudException {
        Instant began = launcher.clock().instant();
        while (Duration.between(began, launcher.clock().instant())
                        .compareTo(launcher.config().launchTimeout())
                <= 0) {
            Map<String, String> before = memo;
            Optional<Step> step = step(() -> handler().launch(launch(number), before));
            if (step.isPresent() && step.get() instanceof Step.Again again) {
                memo = again.memo();
                know(again.externalId().or(() -> node.machine().externalId()));
                launcher.clock().advance(again.notBefore());
            } else if (step.isPresent() && step.get() instanceof Step.Done done) {
                arrived(done.instance());
                return true;
            } else if (step.isPresent()) {
                return false;
            }
        }
        throw new CloudException(Fault.TIMEOUT, "the launch timed out");
    }

    private void arrived(Instance made) {
        assertFalse(made.externalId().isEmpty(), "a machine that is there has an external id");
        assertEquals(Instance.Status.READY, made.status(), "a machine that is there is ready");
        assertTrue(made.addresses().interfaceIp().isPresent(), "a machine that is there has an address");
        instance = Optional.of(made);
        know(Optional.of(made.externalId()));
    }

    /** As a launcher removes a node that is not used any more, and its record with it. */
    void remove() {
        node = node.withState(NodeState.DELETING, launcher.clock().instant());
        launcher.records().put(node);
        removeMachine();
        launcher.records().drop(node.id());
    }

    /** Steps until nothing is left, beginning anew after a fault. */
    private void removeMachine() {
        CloudException last = new CloudException(Fault.TRANSIENT, "never tried");
        for (int tries = 0; tries < MANY_TRIES; tries++) {
            try {
                stepsOfRemoving();
                return;
            } catch (CloudException e) {
                if (e.fault() == Fault.NOT_FOUND) {
                    return;
                }
                last = e;
                launcher.clock().advance(Duration.ofSeconds(5));
            }
        }
        fail("the machine of node " + node.id() + " could not be removed in " + MANY_TRIES + " tries", last);
    }

    private void stepsOfRemoving() throws CloudException {
        memo = Map.of();
        while (true) {
            Map<String, String> before = memo;
            Optional<Step> step = step(() -> launcher.provider().cleanupNode(node, before));
            if (step.isPresent() && step.get() instanceof Step.Again again) {
                memo = again.memo();
                launcher.clock().advance(again.notBefore());
            } else if (step.isPresent()) {
                return;
            }
        }
    }

    /** One step; absent if it has to be taken again: its result was lost in a crash, or the cloud was asked too often. */
    private Optional<Step> step(FaultPoints.Work<Step> work) throws CloudException {
        if (++steps > MANY_STEPS) {
            fail("node " + node.id() + " does not come to an end in " + MANY_STEPS + " steps");
        }
        try {
            Step step = launcher.bounded("a step of node " + node.id(), work);
            if (steps == crashAfter) {
                launcher.restart();
                return Optional.empty();
            }
            return Optional.of(step);
        } catch (CloudException e) {
            if (e.fault() != Fault.RATE_LIMIT) {
                throw e;
            }
            launcher.clock().advance(e.retryAfter().orElse(SECOND));
            return Optional.empty();
        } finally {
            assertNoDouble();
        }
    }

    void assertNoDouble() {
        List<String> mine = launcher.cloud().machines().stream()
                .filter(machine -> node.id().equals(machine.metadata().get(Launch.NODE_ID)))
                .map(CloudUnderTest.Machine::id)
                .toList();
        assertTrue(mine.size() <= 1, () -> "node " + node.id() + " has several machines: " + mine);
    }

    private void know(Optional<String> externalId) {
        node = node.withMachine(node.machine().withExternalId(externalId));
        launcher.records().put(node);
    }

    private NodeRequestHandler handler() {
        return launcher.provider().getRequestHandler(launcher.pool(), request);
    }

    private Launch launch(int attempt) {
        return new Launch(
                node,
                request,
                launcher.pool(),
                launcher.pool().label(launcher.label()).orElseThrow(),
                "np" + node.id(),
                Optional.empty(),
                metadata(),
                attempt);
    }
}
