package nodepool.testkit.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import nodepool.api.driver.CloudException;
import nodepool.api.driver.Instance;
import nodepool.api.driver.LabelConfig;
import nodepool.api.driver.Launch;
import nodepool.api.driver.Provider;
import nodepool.api.driver.ProviderConfig;
import nodepool.api.event.Event;
import nodepool.api.quota.QuotaInformation;
import nodepool.api.store.Snapshot;
import nodepool.testkit.LentContext;
import nodepool.testkit.ManualClock;
import nodepool.testkit.MemorySnapshots;
import nodepool.testkit.contract.Making.Outcome;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/**
 * What a launcher relies on in a provider. A driver's test extends this class and implements {@link #openCloud}; each case
 * gets a cloud of its own. The cases run every flow, repeat every step after a crash, break every call in every way, and
 * look past the driver for machines that are left over or there twice.
 */
public abstract class ProviderContract extends GenerationContract {

    private static final String NODE = "0000000001";
    private static final int MANY = 20;

    /**
     * Opens an empty cloud whose calls pass through {@code faults}.
     *
     * @param clock the cloud's time, if it is a simulated one: machines that take their time must take it by this clock
     */
    protected abstract CloudUnderTest openCloud(ManualClock clock, FaultPoints faults) throws Exception;

    /** How long one call to the provider may take, calls that the cloud never answers included. */
    protected Duration patience() {
        return Duration.ofSeconds(30);
    }

    // Flows

    @Test
    void a_machine_is_made_and_removed() throws Exception {
        try (SmallLauncher launcher = open()) {
            Making making = new Making(launcher, NODE);
            making.makeReady();
            assertEquals(
                    List.of(making.instance().externalId()), ids(launcher), "the machine of which the provider told");
            making.remove();
            assertNothingLeft(launcher);
        }
    }

    @Test
    void a_made_machine_is_listed_with_the_metadata_it_was_made_with() throws Exception {
        try (SmallLauncher launcher = open()) {
            Making making = new Making(launcher, NODE);
            making.makeReady();
            Instance listed = launcher.listNodes().stream()
                    .filter(one -> one.externalId().equals(making.instance().externalId()))
                    .findFirst()
                    .orElseGet(() -> fail("the machine is not listed"));
            making.metadata()
                    .forEach((key, value) ->
                            assertEquals(value, listed.metadata().get(key), key));
        }
    }

    @Test
    void the_machines_of_others_are_listed_too() throws Exception {
        try (SmallLauncher launcher = open()) {
            launcher.cloud().plant(Map.of("owner", "somebody else"));
            assertEquals(
                    ids(launcher),
                    launcher.listNodes().stream().map(Instance::externalId).toList());
        }
    }

    @Test
    void a_label_says_what_it_uses_and_whether_it_is_ready() throws Exception {
        try (SmallLauncher launcher = open()) {
            for (LabelConfig label : launcher.pool().labels()) {
                QuotaInformation uses = launcher.bounded(
                        "getQuotaForLabel", () -> launcher.provider().getQuotaForLabel(launcher.pool(), label.name()));
                assertTrue(uses.of(QuotaInformation.INSTANCES) >= 1, "a machine uses at least one instance");
                assertTrue(
                        launcher.bounded(
                                "labelReady", () -> launcher.provider().labelReady(launcher.pool(), label.name())),
                        "the label is ready");
            }
        }
    }

    @Test
    void many_machines_are_made_at_the_same_time() throws Exception {
        try (SmallLauncher launcher = open()) {
            List<Making> all = IntStream.rangeClosed(1, MANY)
                    .mapToObj(number -> new Making(launcher, "%010d".formatted(number)))
                    .toList();
            Set<String> made = new HashSet<>();
            atOnce(all.stream().map(one -> () -> {
                one.makeReady();
                return one;
            }));
            all.forEach(one -> made.add(one.instance().externalId()));
            assertEquals(MANY, made.size(), "each node has a machine of its own");
            atOnce(all.stream().map(one -> () -> {
                one.remove();
                return one;
            }));
            assertNothingLeft(launcher);
        }
    }

    // Crashes

    @TestFactory
    Stream<DynamicTest> each_step_of_making_can_be_repeated_after_a_crash() throws Exception {
        return IntStream.rangeClosed(1, stepsOfMaking())
                .mapToObj(step -> dynamicTest("step " + step, () -> {
                    try (SmallLauncher launcher = open()) {
                        Making making = new Making(launcher, NODE);
                        making.crashAfter(step);
                        making.makeReady();
                        assertEquals(1, ids(launcher).size(), "machines");
                        making.remove();
                        assertNothingLeft(launcher);
                    }
                }));
    }

    @TestFactory
    Stream<DynamicTest> each_step_of_removing_can_be_repeated_after_a_crash() throws Exception {
        return IntStream.rangeClosed(1, stepsOfRemoving())
                .mapToObj(step -> dynamicTest("step " + step, () -> {
                    try (SmallLauncher launcher = open()) {
                        Making making = new Making(launcher, NODE);
                        making.makeReady();
                        making.crashAfter(step);
                        making.remove();
                        assertNothingLeft(launcher);
                    }
                }));
    }

    // A broken cloud

    @TestFactory
    Stream<DynamicTest> a_call_that_breaks_while_making_costs_an_attempt_at_most() throws Exception {
        return broken(callsOfMaking(), (kind, call) -> {
            try (SmallLauncher launcher = open()) {
                Making making = new Making(launcher, NODE);
                launcher.faults().arm(kind, call);
                if (kind == Break.QUOTA) {
                    assertNotEquals(Outcome.FAILED, making.make(), "a cloud without room is no failure of the launch");
                } else {
                    making.makeReady();
                }
                launcher.faults().count();
                making.assertNoDouble();
                making.remove();
                sweepTwice(launcher);
                assertNothingLeft(launcher);
            }
        });
    }

    @TestFactory
    Stream<DynamicTest> a_launch_that_is_given_up_leaves_nothing_behind() throws Exception {
        return broken(callsOfMaking(), (kind, call) -> {
            try (SmallLauncher launcher = open()) {
                launcher.faults().arm(kind, call);
                new Making(launcher, NODE).make(1);
                launcher.faults().count();
                launcher.records().drop(NODE);
                sweepTwice(launcher);
                assertNothingLeft(launcher);
            }
        });
    }

    @TestFactory
    Stream<DynamicTest> a_call_that_breaks_while_removing_is_made_up_for() throws Exception {
        return broken(callsOfRemoving(), (kind, call) -> {
            try (SmallLauncher launcher = open()) {
                Making making = new Making(launcher, NODE);
                making.makeReady();
                launcher.faults().arm(kind, call);
                making.remove();
                launcher.faults().count();
                assertNothingLeft(launcher);
            }
        });
    }

    @Test
    void a_machine_that_vanishes_is_removed_all_the_same() throws Exception {
        try (SmallLauncher launcher = open()) {
            Making making = new Making(launcher, NODE);
            making.makeReady();
            launcher.cloud().remove(making.instance().externalId());
            making.remove();
            assertNothingLeft(launcher);
        }
    }

    @Test
    void a_node_without_a_machine_is_removed_at_once() throws Exception {
        try (SmallLauncher launcher = open()) {
            Making making = new Making(launcher, NODE);
            making.remove();
            assertEquals(1, making.steps(), "steps");
        }
    }

    // Leaks

    @Test
    void a_machine_of_ours_without_a_record_is_removed_in_the_second_sweep() throws Exception {
        try (SmallLauncher launcher = open()) {
            new Making(launcher, NODE).makeReady();
            launcher.records().drop(NODE);
            launcher.sweep();
            assertEquals(1, ids(launcher).size(), "its record may be younger than the sweep's");
            launcher.sweep();
            assertNothingLeft(launcher);
            assertTrue(
                    launcher.events().stream().anyMatch(Event.LeakRemoved.class::isInstance), "the leak was counted");
        }
    }

    @Test
    void a_machine_with_a_record_and_those_of_others_survive_every_sweep() throws Exception {
        try (SmallLauncher launcher = open()) {
            new Making(launcher, NODE).makeReady();
            launcher.cloud().plant(Map.of("owner", "somebody else"));
            launcher.cloud()
                    .plant(Map.of(Launch.PROVIDER_NAME, "another provider of ours", Launch.NODE_ID, "0000000007"));
            for (int i = 0; i < 3; i++) {
                launcher.sweep();
            }
            assertEquals(3, ids(launcher).size(), "machines");
        }
    }

    // Coming and going

    @Test
    void another_generation_goes_on_with_every_machine_half_made() throws Exception {
        try (SmallLauncher launcher = open()) {
            for (int number = 1; number <= MANY; number++) {
                Making making = new Making(launcher, "%010d".formatted(number));
                making.crashAfter(1);
                making.makeReady();
            }
            assertEquals(MANY, ids(launcher).size(), "machines");
        }
    }

    @Override
    protected final ProviderUnderTest openPlace() throws Exception {
        ManualClock clock = new ManualClock();
        CloudUnderTest cloud = openCloud(clock, new FaultPoints());
        MemorySnapshots records = new MemorySnapshots();
        return new ProviderUnderTest() {
            @Override
            public ProviderConfig config() {
                return cloud.config();
            }

            @Override
            public Provider open(ScheduledExecutorService executor) {
                return cloud.open(LentContext.of(records, clock, executor, event -> {}));
            }

            @Override
            public Snapshot records() {
                return records.now();
            }

            @Override
            public void close() {
                cloud.close();
            }
        };
    }

    private SmallLauncher open() throws Exception {
        ManualClock clock = new ManualClock();
        FaultPoints faults = new FaultPoints();
        return new SmallLauncher(patience(), openCloud(clock, faults), faults, clock);
    }

    private int stepsOfMaking() throws Exception {
        try (SmallLauncher launcher = open()) {
            Making making = new Making(launcher, NODE);
            making.makeReady();
            return making.steps();
        }
    }

    private int stepsOfRemoving() throws Exception {
        try (SmallLauncher launcher = open()) {
            Making making = new Making(launcher, NODE);
            making.makeReady();
            making.crashAfter(0);
            making.remove();
            return making.steps();
        }
    }

    private int callsOfMaking() throws Exception {
        try (SmallLauncher launcher = open()) {
            launcher.faults().count();
            new Making(launcher, NODE).makeReady();
            return launcher.faults().calls();
        }
    }

    private int callsOfRemoving() throws Exception {
        try (SmallLauncher launcher = open()) {
            Making making = new Making(launcher, NODE);
            making.makeReady();
            launcher.faults().count();
            making.remove();
            return launcher.faults().calls();
        }
    }

    /** One case of a broken cloud. */
    @FunctionalInterface
    private interface BrokenCase {
        void run(Break kind, int call) throws Exception;
    }

    private static Stream<DynamicTest> broken(int calls, BrokenCase body) {
        assertTrue(calls > 0, "the cloud's calls do not pass through the fault points");
        List<DynamicTest> cases = new ArrayList<>();
        for (int call = 1; call <= calls; call++) {
            int number = call;
            for (Break kind : Break.values()) {
                if (kind != Break.NONE) {
                    cases.add(dynamicTest("call %d: %s".formatted(call, kind), () -> body.run(kind, number)));
                }
            }
        }
        return cases.stream();
    }

    private static void sweepTwice(SmallLauncher launcher) throws CloudException {
        launcher.sweep();
        launcher.sweep();
    }

    private static List<String> ids(SmallLauncher launcher) {
        return launcher.cloud().machines().stream()
                .map(CloudUnderTest.Machine::id)
                .toList();
    }

    private static void assertNothingLeft(SmallLauncher launcher) {
        assertEquals(List.of(), ids(launcher), "machines left over");
    }

    /** Something that is done for one node. */
    @FunctionalInterface
    private interface Job<T> {
        T run() throws Exception;
    }

    private static <T> List<T> atOnce(Stream<Job<T>> work) throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(MANY);
        try {
            List<Future<T>> under = work.map(one -> threads.submit(one::run)).toList();
            List<T> results = new ArrayList<>();
            for (Future<T> one : under) {
                results.add(one.get());
            }
            return results;
        } catch (ExecutionException e) {
            throw new AssertionError(
                    "while many were under way",
                    Optional.ofNullable(e.getCause()).orElse(e));
        } finally {
            threads.shutdownNow();
        }
    }
}
