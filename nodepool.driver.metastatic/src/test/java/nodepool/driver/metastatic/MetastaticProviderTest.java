package nodepool.driver.metastatic;

import static nodepool.driver.metastatic.Events.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import nodepool.api.config.ZooKeeperConfig;
import nodepool.api.driver.CloudException;
import nodepool.api.driver.Step;
import nodepool.api.json.JsonValue;
import nodepool.api.json.JsonValue.JsonNull;
import nodepool.api.node.Node;
import nodepool.api.node.NodeState;
import nodepool.api.request.NodeRequest;
import nodepool.api.store.LockedNode;
import nodepool.api.store.Stores;
import nodepool.driver.metastatic.MetastaticLabel.Backing;
import nodepool.testkit.ManualClock;
import nodepool.zk.embedded.EmbeddedZooKeeper;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The provider with the real stores and a real server, beside a launcher that serves its requests. */
class MetastaticProviderTest {

    private static final String OWNER = "NodePool:metastatic:slicer";
    private static final Backing PLAIN = new Backing("big", 2, Duration.ofMinutes(1), Duration.ZERO, Optional.empty());

    @TempDir
    private Path folder;

    private final ManualClock clock = new ManualClock(Instant.ofEpochSecond(1_726_600_000));
    private final List<AutoCloseable> open = new ArrayList<>();
    private EmbeddedZooKeeper server;
    private BackingLauncher aurora;
    private SlotLauncher slicer;

    @BeforeEach
    void connect() throws Exception {
        server = EmbeddedZooKeeper.start(folder, 0);
        aurora = new BackingLauncher(stores(), clock);
        slicer = launcher(config(PLAIN));
    }

    @AfterEach
    void close() throws Exception {
        for (AutoCloseable each : open) {
            each.close();
        }
        server.close();
    }

    @Test
    void nodes_share_a_backing_node_until_it_is_full() throws Exception {
        String one = slicer.begin("small");
        String two = slicer.begin("small");
        String three = slicer.begin("small");
        assertInstanceOf(Step.Again.class, slicer.step(one));
        assertInstanceOf(Step.Again.class, slicer.step(two));
        assertInstanceOf(Step.Again.class, slicer.step(three));

        List<String> backing = slicer.requests(2).stream().map(aurora::fulfil).toList();
        slicer.requests(2);
        untilReady(backing);

        assertEquals(backing.get(0) + "/0", seat(slicer, one));
        assertEquals(backing.get(0) + "/1", seat(slicer, two));
        assertEquals(backing.get(1) + "/0", seat(slicer, three));
        slicer.requests(0);
        assertEquals(NodeState.IN_USE, node(backing.get(0)).state());
    }

    @Test
    void a_request_says_for_whom_it_is() throws Exception {
        slicer.step(slicer.begin("small"));

        NodeRequest request = slicer.requests(1).get(0);

        assertEquals("100", request.priority());
        assertEquals(List.of("big"), request.wanted().nodeTypes());
        assertEquals(Optional.of(OWNER), request.asker().requestor());
        assertEquals(Optional.empty(), request.asker().tenantName());
        assertTrue(request.asker().eventId().orElseThrow().matches("[0-9a-f]{32}"));
    }

    @Test
    void a_slot_is_reached_like_its_backing_node() throws Exception {
        String id = slicer.begin("small");
        String backing = back(id);
        var instance = slicer.make(id);

        assertEquals(id, instance.externalId());
        assertEquals(BackingLauncher.ADDRESSES, instance.addresses());
        assertEquals(Optional.of(BackingLauncher.LOGIN), instance.connection());
        assertEquals(Optional.of("az1"), instance.place().az());
        assertEquals(OptionalInt.of(0), instance.slot());
        assertEquals(Map.of("instances", 1.0), instance.quota().orElseThrow().amounts());
        assertEquals(node(backing).machine().attributes(), instance.attributes());
        assertEquals(new DriverData(backing, 0, id), DriverData.of(node(id)).orElseThrow());
    }

    @Test
    void host_keys_are_passed_on_only_if_they_are_not_gathered_for_each_slot() throws Exception {
        slicer = launcher(config(new MetastaticLabel("small", PLAIN, true)));
        String id = slicer.begin("small");
        back(id);

        assertEquals(List.of(), slicer.make(id).connection().orElseThrow().hostKeys());
    }

    @Test
    void a_slot_that_was_given_back_is_used_again() throws Exception {
        String one = slicer.begin("small");
        String backing = back(one);
        String two = slicer.begin("small");
        slicer.make(one);
        slicer.make(two);

        slicer.remove(one);

        assertEquals(backing + "/0", seat(slicer, slicer.begin("small")));
    }

    @Test
    void an_empty_backing_node_is_given_back_after_the_grace_time() throws Exception {
        String id = slicer.begin("small");
        String backing = back(id);
        slicer.make(id);
        slicer.remove(id);

        clock.advance(Duration.ofMinutes(1));
        slicer.sweep();
        assertEquals(NodeState.IN_USE, node(backing).state());

        clock.advance(Duration.ofSeconds(1));
        slicer.sweep();
        assertReleased(backing);
    }

    @Test
    void the_end_of_the_grace_time_needs_no_other_event() throws Exception {
        String id = slicer.begin("small");
        String backing = back(id);
        slicer.make(id);
        slicer.remove(id);

        slicer.pass(Duration.ofSeconds(60));
        assertEquals(NodeState.IN_USE, node(backing).state());

        slicer.pass(Duration.ofSeconds(1));
        assertReleased(backing);
    }

    @Test
    void a_generation_that_was_replaced_gives_nothing_back() throws Exception {
        String id = slicer.begin("small");
        String backing = back(id);
        slicer.make(id);
        slicer.remove(id);

        slicer.provider().idle();
        slicer.pass(Duration.ofDays(1));
        slicer.sweep();

        assertEquals(NodeState.IN_USE, node(backing).state());
    }

    @Test
    void one_in_use_is_not_given_back_however_long_it_takes() throws Exception {
        String id = slicer.begin("small");
        String backing = back(id);
        slicer.make(id);

        clock.advance(Duration.ofDays(9));
        slicer.sweep();

        assertEquals(NodeState.IN_USE, node(backing).state());
    }

    @Test
    void after_a_crash_the_free_slots_are_known() throws Exception {
        String one = slicer.begin("small");
        String backing = back(one);
        slicer.make(one);
        slicer.close();

        slicer = launcher(config(PLAIN));

        assertEquals(backing + "/1", seat(slicer, slicer.begin("small")));
        assertInstanceOf(Step.Again.class, slicer.step(slicer.begin("small")));
        slicer.requests(1);
    }

    @Test
    void after_a_crash_a_backing_node_of_the_original_is_known() throws Exception {
        String one = slicer.begin("small");
        String backing = back(one);
        slicer.make(one);
        LockedNode locked =
                await(slicer.stores().nodes().resumeLasting(backing, OWNER)).orElseThrow();
        BackingUse use = BackingUse.of(locked.node(), OWNER).orElseThrow();
        await(slicer.stores()
                .nodes()
                .write(locked.with(use.withTaken(new TreeMap<>()).on(locked.node()))));
        slicer.close();

        slicer = launcher(config(PLAIN));

        assertEquals(backing + "/1", seat(slicer, slicer.begin("small")));
    }

    @Test
    void a_crash_leaves_no_request_behind() throws Exception {
        slicer.step(slicer.begin("small"));
        slicer.requests(1);
        slicer.close();

        slicer = launcher(config(PLAIN));

        slicer.requests(0);
        slicer.step(slicer.begin("small"));
        slicer.requests(1);
    }

    @Test
    void a_step_repeated_after_a_crash_finds_the_slot_it_had() throws Exception {
        String id = slicer.begin("small");
        String backing = back(id);
        Step.Done first = (Step.Done) slicer.step(id);

        Step.Done again = (Step.Done) slicer.step(id);

        assertEquals(first, again);
        assertEquals(
                new TreeMap<>(Map.of(0, id)),
                BackingUse.of(node(backing), OWNER).orElseThrow().taken());
    }

    @Test
    void a_step_that_died_after_locking_the_backing_node_is_repeated() throws Exception {
        String id = slicer.begin("small");
        String backing = back(id);
        assertTrue(await(slicer.stores().nodes().tryLockLasting(backing, OWNER)).isPresent());

        assertEquals(backing + "/0", seat(slicer, id));
        slicer.requests(0);
    }

    @Test
    void a_backing_node_that_was_given_to_somebody_else_is_not_taken() throws Exception {
        String id = slicer.begin("small");
        String backing = back(id);
        LockedNode theirs = await(slicer.stores().nodes().tryLock(backing)).orElseThrow();
        await(slicer.stores().nodes().finish(theirs.with(theirs.node().withAllocation(Node.Allocation.NONE))));

        assertInstanceOf(Step.Again.class, slicer.step(id));

        assertEquals(NodeState.READY, node(backing).state());
        assertTrue(await(slicer.stores().nodes().tryLock(backing)).isPresent());
    }

    @Test
    void a_backing_node_that_was_locked_and_then_forgotten_is_let_go() throws Exception {
        slicer.step(slicer.begin("small"));
        String backing = aurora.fulfil(slicer.requests(1).get(0));
        assertTrue(await(slicer.stores().nodes().tryLockLasting(backing, OWNER)).isPresent());
        slicer.close();

        slicer = launcher(config(PLAIN));
        slicer.requests(0);
        slicer.sweep();

        Node free =
                await(slicer.stores().nodes().tryLock(backing)).orElseThrow().node();
        assertEquals(NodeState.READY, free.state());
    }

    @Test
    void a_slot_whose_node_was_removed_by_hand_becomes_free() throws Exception {
        String id = slicer.begin("small");
        String backing = back(id);
        slicer.make(id);
        LockedNode removed = await(slicer.stores().nodes().tryLock(id)).orElseThrow();
        await(slicer.stores().nodes().remove(removed));
        until(id, false);

        slicer.sweep();

        assertEquals(backing + "/0", seat(slicer, slicer.begin("small")));
    }

    @Test
    void the_backing_node_of_a_label_that_is_gone_goes_with_its_last_node() throws Exception {
        String id = slicer.begin("small");
        String backing = back(id);
        slicer.make(id);
        slicer.close();
        slicer = launcher(config(new MetastaticLabel("other", PLAIN, false)));
        slicer.sweep();
        assertEquals(NodeState.IN_USE, node(backing).state());

        slicer.remove(id);
        slicer.sweep();

        assertReleased(backing);
    }

    @Test
    void a_backing_node_on_which_an_attempt_fails_gets_no_more_nodes_and_goes_when_empty() throws Exception {
        String one = slicer.begin("small");
        String bad = back(one);
        slicer.make(one);
        String two = slicer.begin("small");
        assertInstanceOf(Step.Done.class, slicer.step(two));

        slicer.attemptFailed(two);

        assertInstanceOf(Step.Again.class, slicer.step(two));
        String good = aurora.fulfil(slicer.requests(1).get(0));
        untilReady(List.of(good));
        assertEquals(good + "/0", seat(slicer, two));
        assertEquals(good + "/1", seat(slicer, slicer.begin("small")));
        assertEquals(NodeState.READY, node(one).state());
        slicer.sweep();
        assertEquals(NodeState.IN_USE, node(bad).state());
        slicer.remove(one);
        slicer.sweep();
        assertReleased(bad);
        assertEquals(NodeState.IN_USE, node(good).state());
    }

    @Test
    void a_failed_key_scan_fails_the_backing_node_even_after_the_last_attempt() throws Exception {
        String id = slicer.begin("small");
        String bad = back(id);
        slicer.scanFailed(id);
        slicer.remove(id);
        slicer.pass(Duration.ZERO);

        assertInstanceOf(Step.Again.class, slicer.step(slicer.begin("small")));
        slicer.requests(1);
        assertReleased(bad);
    }

    @Test
    void an_idle_backing_node_stays_for_its_minimum_retention_time() throws Exception {
        slicer =
                launcher(config(new Backing("big", 2, Duration.ofSeconds(2), Duration.ofMinutes(5), Optional.empty())));
        String id = slicer.begin("small");
        String backing = back(id);
        slicer.make(id);
        slicer.remove(id);

        clock.advance(Duration.ofSeconds(299));
        slicer.sweep();
        assertEquals(NodeState.IN_USE, node(backing).state());

        clock.advance(Duration.ofSeconds(2));
        slicer.sweep();
        assertReleased(backing);
    }

    @Test
    void beyond_its_maximum_age_a_backing_node_keeps_its_nodes_but_gets_no_more() throws Exception {
        slicer = launcher(config(
                new Backing("big", 2, Duration.ofSeconds(2), Duration.ZERO, Optional.of(Duration.ofMinutes(5)))));
        String one = slicer.begin("small");
        String old = back(one);
        slicer.make(one);

        clock.advance(Duration.ofSeconds(301));

        String two = slicer.begin("small");
        String young = back(two);
        assertEquals(young + "/0", seat(slicer, two));
        slicer.sweep();
        assertEquals(NodeState.READY, node(one).state());
        assertEquals(NodeState.IN_USE, node(old).state());
        slicer.remove(one);
        slicer.sweep();
        assertReleased(old);
    }

    @Test
    void a_free_node_goes_with_its_backing_node_and_the_next_one_gets_a_new_one() throws Exception {
        String id = slicer.begin("small");
        String backing = back(id);
        slicer.make(id);
        LockedNode lost =
                await(slicer.stores().nodes().resumeLasting(backing, OWNER)).orElseThrow();
        await(slicer.stores().nodes().remove(lost));
        until(backing, false);

        MetastaticRequestHandler handler = (MetastaticRequestHandler)
                slicer.provider().getRequestHandler(config(PLAIN).pools().get(0), request());
        assertFalse(handler.checkReusableNode(node(id), List.of()));
        slicer.sweep();
        assertEquals(NodeState.DELETING, node(id).state());
        assertInstanceOf(Step.Again.class, slicer.step(slicer.begin("small")));
        slicer.requests(1);
    }

    @Test
    void a_used_node_outlives_its_backing_node() throws Exception {
        String id = slicer.begin("small");
        String backing = back(id);
        slicer.make(id);
        LockedNode used = await(slicer.stores().nodes().tryLock(id)).orElseThrow();
        await(slicer.stores().nodes().write(used.with(used.node().withState(NodeState.IN_USE, clock.instant()))));
        LockedNode lost =
                await(slicer.stores().nodes().resumeLasting(backing, OWNER)).orElseThrow();
        await(slicer.stores().nodes().remove(lost));
        until(backing, false);

        slicer.sweep();

        assertEquals(NodeState.IN_USE, node(id).state());
    }

    @Test
    void a_request_is_cancelled_when_the_last_node_that_waits_for_it_goes() throws Exception {
        String one = slicer.begin("small");
        String two = slicer.begin("small");
        slicer.step(one);
        slicer.step(two);
        slicer.requests(1);

        slicer.remove(one);
        slicer.sweep();
        slicer.requests(1);

        slicer.remove(two);
        slicer.sweep();
        slicer.requests(0);
    }

    @Test
    void a_request_for_a_label_that_is_gone_is_cancelled() throws Exception {
        slicer.step(slicer.begin("small"));
        slicer.requests(1);

        SlotLauncher next =
                new SlotLauncher(slicer.stores(), clock, config(new MetastaticLabel("other", PLAIN, false)));
        next.sweep();

        next.requests(0);
    }

    @Test
    void an_attempt_fails_with_its_request_and_the_next_one_asks_anew() throws Exception {
        String id = slicer.begin("small");
        slicer.step(id);
        NodeRequest refused = slicer.requests(1).get(0);
        aurora.fail(refused);
        Events.first(
                slicer.stores().snapshots(),
                now -> now.request(refused.id())
                        .filter(request -> request.state().isFinal()));

        CloudException failure = assertThrows(CloudException.class, () -> slicer.step(id));
        assertEquals(CloudException.Fault.MACHINE_FAILED, failure.fault());
        slicer.attemptFailed(id);
        slicer.step(id);

        slicer.requests(2);
        clock.advance(Duration.ofSeconds(31));
        slicer.sweep();
        assertNotEquals(refused.id(), slicer.requests(1).get(0).id());
    }

    @Test
    void a_backing_node_that_somebody_else_has_locked_is_given_up() throws Exception {
        String id = slicer.begin("small");
        slicer.step(id);
        NodeRequest request = slicer.requests(1).get(0);
        String backing = aurora.fulfil(request);
        Stores theirs = stores();
        assertTrue(await(theirs.nodes().tryLock(backing)).isPresent());
        untilReady(List.of(backing));

        assertInstanceOf(Step.Again.class, slicer.step(id));
        assertEquals(request.id(), slicer.requests(1).get(0).id());
        clock.advance(Duration.ofSeconds(31));
        slicer.step(id);
        slicer.requests(0);

        slicer.step(id);
        assertNotEquals(request.id(), slicer.requests(1).get(0).id());
    }

    @Test
    void forged_notes_on_a_node_that_we_have_not_locked_are_ignored() throws Exception {
        BackingUse forged =
                BackingUse.fresh(OWNER, config(PLAIN).backedLabel("small").orElseThrow(), clock.instant());
        Node draft = Node.draft(
                NodeState.READY, List.of("big"), Node.Place.in("aurora", "main"), Node.Machine.NONE, clock.instant());
        Stores theirs = stores();
        String id = await(theirs.nodes().create(draft)).id();
        LockedNode locked = await(theirs.nodes().tryLock(id)).orElseThrow();
        await(theirs.nodes().write(locked.with(forged.on(locked.node()).withState(NodeState.IN_USE, clock.instant()))));
        Events.first(
                slicer.stores().snapshots(),
                now -> now.isLocked(id)
                        ? now.node(id).filter(node -> node.state() == NodeState.IN_USE)
                        : Optional.empty());

        assertInstanceOf(Step.Again.class, slicer.step(slicer.begin("small")));
        slicer.requests(1);
        clock.advance(Duration.ofDays(1));
        slicer.sweep();
        assertEquals(NodeState.IN_USE, node(id).state());
    }

    @Test
    void two_generations_and_two_launchers_give_no_slot_twice() throws Exception {
        MetastaticConfig wide = config(new Backing("big", 32, Duration.ofMinutes(1), Duration.ZERO, Optional.empty()));
        slicer = launcher(wide);
        String first = slicer.begin("small");
        String backing = back(first);
        slicer.make(first);
        Stores shared = stores();
        List<SlotLauncher> launchers =
                List.of(slicer, new SlotLauncher(shared, clock, wide), new SlotLauncher(shared, clock, wide));
        launchers.forEach(each -> Events.first(
                each.stores().snapshots(), now -> now.node(backing).filter(node -> node.state() == NodeState.IN_USE)));
        ExecutorService threads = Executors.newFixedThreadPool(launchers.size());

        List<Future<List<String>>> seats = launchers.stream()
                .map(each -> threads.submit(() -> tenSeats(each)))
                .toList();

        Set<String> distinct = new HashSet<>();
        for (Future<List<String>> each : seats) {
            distinct.addAll(each.get(30, TimeUnit.SECONDS));
        }
        threads.shutdown();
        assertEquals(30, distinct.size(), distinct::toString);
        assertTrue(distinct.stream().allMatch(seat -> seat.startsWith(backing + "/")), distinct::toString);
        assertEquals(
                31, BackingUse.of(node(backing), OWNER).orElseThrow().taken().size());
    }

    private static List<String> tenSeats(SlotLauncher launcher) throws CloudException {
        List<String> seats = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            seats.add(seat(launcher, launcher.begin("small")));
        }
        return seats;
    }

    @Test
    void slots_are_reused_in_one_zone_only() throws Exception {
        String id = slicer.begin("small");
        back(id);
        slicer.make(id);
        Node here = node(id);
        Node elsewhere = here.withPlace(here.place().withAz(Optional.of("az2")));
        var handler = slicer.provider().getRequestHandler(config(PLAIN).pools().get(0), request());

        assertTrue(handler.checkReusableNode(here, List.of()));
        assertTrue(handler.checkReusableNode(here, List.of(here)));
        assertFalse(handler.checkReusableNode(here, List.of(elsewhere)));
    }

    private NodeRequest request() {
        return NodeRequest.draft(
                NodeRequest.Wanted.of(List.of("small")), NodeRequest.Asker.named("client"), clock.instant());
    }

    /** Takes a first step for that node and fulfils the request it makes. */
    private String back(String id) throws CloudException {
        slicer.step(id);
        String backing = aurora.fulfil(slicer.requests(1).get(0));
        untilReady(List.of(backing));
        return backing;
    }

    private void untilReady(List<String> backing) {
        Events.first(
                slicer.stores().snapshots(),
                now -> backing.stream()
                                .allMatch(id -> now.requests().stream()
                                        .anyMatch(request -> request.state().isFinal()
                                                && request.nodes().contains(id)))
                        ? Optional.of(now)
                        : Optional.empty());
    }

    private void until(String id, boolean there) {
        Events.first(
                slicer.stores().snapshots(),
                now -> now.node(id).isPresent() == there ? Optional.of(now) : Optional.empty());
    }

    private static String seat(SlotLauncher launcher, String id) throws CloudException {
        DriverData data = DriverData.of(Node.draft(
                                NodeState.READY,
                                List.of(),
                                Node.Place.NONE,
                                Node.Machine.NONE.withDriverData(
                                        launcher.make(id).driverData()),
                                Instant.EPOCH)
                        .withId(id))
                .orElseThrow();
        return data.backingNode() + "/" + data.slot();
    }

    private Node node(String id) {
        return await(slicer.stores().nodes().read(id)).orElseThrow();
    }

    private void assertReleased(String id) {
        assertEquals(NodeState.USED, node(id).state());
        assertTrue(await(slicer.stores().nodes().tryLock(id)).isPresent());
    }

    private SlotLauncher launcher(MetastaticConfig config) {
        SlotLauncher made = new SlotLauncher(stores(), clock, config);
        open.add(0, made);
        return made;
    }

    private Stores stores() {
        Stores stores = ServiceLoader.load(Stores.Connector.class)
                .findFirst()
                .orElseThrow()
                .connect(new ZooKeeperConfig(
                        List.of(server.connectString()), "", Duration.ofSeconds(10), Optional.empty()));
        await(stores.snapshots().next());
        open.add(stores);
        return stores;
    }

    private static MetastaticConfig config(Backing backing) {
        return config(new MetastaticLabel("small", backing, false));
    }

    private static MetastaticConfig config(MetastaticLabel label) {
        JsonValue attributes = JsonNull.NULL;
        return new MetastaticConfig(
                "slicer",
                -1,
                3,
                Duration.ofMinutes(15),
                Duration.ofMinutes(2),
                List.of(new MetastaticPool("slices", OptionalInt.empty(), 100, attributes, List.of(label))));
    }
}
