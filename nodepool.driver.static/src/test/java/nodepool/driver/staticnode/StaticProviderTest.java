package nodepool.driver.staticnode;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import nodepool.api.driver.CloudException;
import nodepool.api.driver.LabelConfig;
import nodepool.api.driver.Launch;
import nodepool.api.driver.ProviderContext;
import nodepool.api.driver.Step;
import nodepool.api.json.JsonValue;
import nodepool.api.node.Node;
import nodepool.api.node.NodeState;
import nodepool.api.registry.Registration;
import nodepool.api.request.NodeRequest;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

class StaticProviderTest {

    private static final Instant NOW = Instant.parse("2026-01-01T12:00:00Z");

    private final MemoryNodes nodes = new MemoryNodes();
    private final ScriptedScanner scanner = new ScriptedScanner();
    private final HandExecutor executor = new HandExecutor();
    private final Logger logger = (Logger) LoggerFactory.getLogger("nodepool.driver.static");
    private final ListAppender<ILoggingEvent> lines = new ListAppender<>();

    @BeforeEach
    void listen() {
        lines.start();
        logger.addAppender(lines);
    }

    @AfterEach
    void end() {
        logger.detachAppender(lines);
        executor.shutdownNow();
    }

    @Test
    void a_host_becomes_a_ready_node_with_all_it_says() {
        StaticNode host = new StaticNode(
                "one",
                List.of("desk", "lap"),
                "tester",
                Duration.ofSeconds(20),
                true,
                List.of(),
                "ssh",
                22022,
                Optional.of("fish"),
                "auto",
                1);
        scanner.offers("one", "ssh-ed25519 AAAA", "ssh-rsa BBBB");

        start(Hosts.config(host));

        Node node = nodes.one("0000000000");
        assertEquals(1, nodes.all().size());
        assertEquals(NodeState.READY, node.state());
        assertEquals(List.of("desk", "lap"), node.types());
        assertEquals(Node.Place.in("cellar", "main"), node.place());
        assertEquals(Optional.of("static driver"), node.machine().launcher());
        assertEquals(Optional.of(NOW), node.machine().createdTime());
        assertEquals(Optional.of("one"), node.machine().externalId());
        assertEquals(Optional.of("one"), node.machine().hostname());
        assertEquals(OptionalInt.of(0), node.machine().slot());
        assertEquals(
                new Node.Addresses(
                        Optional.of("one"),
                        Optional.of("192.0.2.1"),
                        Optional.empty(),
                        Optional.of("2001:db8:0:0:0:0:0:1")),
                node.addresses());
        assertEquals(
                new Node.Connection(
                        JsonValue.of(22022),
                        Optional.of("ssh"),
                        Optional.of("tester"),
                        Optional.of("fish"),
                        Optional.of("auto"),
                        List.of("ssh-ed25519 AAAA", "ssh-rsa BBBB")),
                node.connection());
        assertFalse(node.isAllocated());
    }

    @Test
    void a_host_is_checked_once_for_all_its_slots() {
        start(Hosts.config(Hosts.host("one", 3)));

        assertEquals("one:0 one:1 one:2", ready());
        assertEquals(1, scanner.asked().size());
        assertEquals(Duration.ofSeconds(5), scanner.asked().get(0).within());
    }

    @Test
    void one_machine_can_be_listed_for_two_users() {
        StaticNode one = Hosts.host("one", 1);
        StaticNode root = new StaticNode(
                "one", List.of("lap"), "root", one.timeout(), true, List.of(), "ssh", 22, Optional.empty(), "auto", 1);

        start(Hosts.config(one, root));

        assertEquals("one:0 one:0", ready());
    }

    @Test
    void a_slot_is_not_registered_twice_while_snapshots_lag_behind() {
        nodes.lag(true);
        StaticProvider provider = start(Hosts.config(Hosts.host("one", 1)));

        provider.cleanupLeakedResources(nodes.current().orElseThrow());
        executor.settle();

        assertEquals("one:0", ready());
    }

    @Test
    void a_record_removed_before_any_snapshot_showed_it_is_registered_again() {
        nodes.lag(true);
        StaticProvider provider = start(Hosts.config(Hosts.host("one", 1)));
        nodes.drop("0000000000");

        provider.cleanupLeakedResources(nodes.current().orElseThrow());
        executor.settle();

        assertEquals("0000000001", nodes.all().get(0).id());
    }

    @Test
    void a_returned_slot_comes_back_under_a_new_id() {
        StaticProvider provider = start(Hosts.config(Hosts.host("one", 1)));
        Node used = nodes.one("0000000000").withState(NodeState.IN_USE, NOW);
        nodes.put(used);
        executor.settle();
        assertEquals(1, nodes.all().size());

        nodes.drop(used.id());
        provider.notifications().orElseThrow().nodeDeletedNotification(used);
        executor.settle();

        assertEquals("one:0", ready());
        assertEquals("0000000001", nodes.all().get(0).id());
        assertEquals(2, scanner.asked().size());
    }

    @Test
    void an_unreachable_host_is_absent_with_a_reason_and_comes_back() {
        scanner.isDown("one", "nobody answers");
        StaticProvider provider = start(Hosts.config(Hosts.host("one", 1), Hosts.host("two", 1)));

        assertEquals("two:0", ready());
        HostState state = provider.hostStates().get(0);
        assertEquals(HostState.Status.ABSENT, state.status());
        assertEquals("nobody answers", state.reason());

        executor.pass(Duration.ofSeconds(5));
        assertEquals(2, provider.hostStates().get(0).failures());
        scanner.offers("one", "ssh-rsa A");
        executor.pass(Duration.ofSeconds(5));
        assertEquals("two:0", ready());
        executor.pass(Duration.ofSeconds(5));
        assertEquals("one:0 two:0", ready());
        assertEquals(HostState.Status.PRESENT, provider.hostStates().get(0).status());
        assertEquals(1, logged(Level.WARN));
    }

    @Test
    void an_unresolvable_host_does_not_prevent_the_other() {
        StaticProvider provider = start(Hosts.config(Hosts.host("unknown", 1), Hosts.host("two", 1)));

        assertEquals("two:0", ready());
        assertEquals("the name cannot be resolved", provider.hostStates().get(0).reason());
    }

    @Test
    void every_configured_key_must_be_offered() {
        scanner.offers("one", "ssh-rsa A", "ssh-ed25519 B");
        scanner.offers("two", "ssh-rsa A");
        StaticProvider provider = start(Hosts.config(
                Hosts.requiring(Hosts.host("one", 1), "ssh-rsa A"),
                Hosts.requiring(Hosts.host("two", 1), "ssh-rsa A", "ssh-ed25519 B")));

        assertEquals("one:0", ready());
        assertTrue(provider.hostStates().get(1).reason().contains("host key mismatch"));
    }

    @Test
    void without_host_key_checking_ssh_hosts_are_taken_as_they_are() {
        scanner.isDown("one", "off");
        start(Hosts.config(Hosts.unchecked(Hosts.host("one", 1), "ssh", "ssh-rsa A")));

        assertEquals(List.of("ssh-rsa A"), nodes.one("0000000000").connection().hostKeys());
        assertTrue(scanner.asked().isEmpty());
    }

    @Test
    void other_connection_types_are_tried_without_keys() {
        start(Hosts.config(Hosts.unchecked(Hosts.host("one", 1), "winrm", "ssh-rsa A")));

        assertTrue(nodes.one("0000000000").connection().hostKeys().isEmpty());
        assertFalse(scanner.asked().get(0).gatherKeys());
    }

    @Test
    void changed_labels_are_updated_in_place() {
        start(Hosts.config(Hosts.host("one", 1, "desk"))).stop();

        start(Hosts.config(Hosts.host("one", 1, "desk", "lap")));

        assertEquals(1, nodes.all().size());
        assertEquals(List.of("desk", "lap"), nodes.one("0000000000").types());
        assertEquals(NodeState.READY, nodes.one("0000000000").state());
    }

    @Test
    void a_host_moved_to_another_pool_is_updated_in_place() {
        start(Hosts.config(Hosts.host("one", 1))).stop();

        start(new StaticConfig("cellar", -1, List.of(Hosts.pool("other", Hosts.host("one", 1)))));

        assertEquals(Optional.of("other"), nodes.one("0000000000").place().pool());
    }

    @Test
    void changed_attributes_of_a_pool_reach_its_free_records() {
        start(Hosts.config(Hosts.host("one", 1))).stop();
        JsonValue attributes = new JsonValue.JsonObject(Map.of("rack", JsonValue.of("r1")));

        start(new StaticConfig(
                "cellar",
                -1,
                List.of(new StaticPool("main", OptionalInt.empty(), 100, attributes, List.of(Hosts.host("one", 1))))));

        assertEquals(attributes, nodes.one("0000000000").machine().attributes());
    }

    @Test
    void records_in_use_are_neither_updated_nor_removed() {
        start(Hosts.config(Hosts.host("one", 1, "desk"), Hosts.host("two", 1))).stop();
        Node one = nodes.one("0000000000").withState(NodeState.IN_USE, NOW);
        nodes.put(one);
        Node two = nodes.one("0000000001")
                .withAllocation(new Node.Allocation(Optional.of("100-0000000009"), Optional.empty(), Optional.empty()));
        nodes.put(two);

        start(Hosts.config(Hosts.host("one", 1, "lap")));

        assertEquals(List.of(one, two), nodes.all());
    }

    @Test
    void fewer_slots_and_fewer_hosts_deregister_the_free_records() {
        start(Hosts.config(Hosts.host("one", 2), Hosts.host("two", 1))).stop();

        start(Hosts.config(Hosts.host("one", 1)));

        assertEquals("one:0", ready());
        assertEquals(NodeState.DELETING, nodes.one("0000000001").state());
        assertEquals(NodeState.DELETING, nodes.one("0000000002").state());
    }

    @Test
    void more_slots_are_added() {
        start(Hosts.config(Hosts.host("one", 1))).stop();

        start(Hosts.config(Hosts.host("one", 2)));

        assertEquals("one:0 one:1", ready());
    }

    @Test
    void a_locked_record_is_removed_as_soon_as_its_lock_is_free() {
        start(Hosts.config(Hosts.host("one", 1))).stop();
        nodes.lockedByOthers("0000000000", true);
        start(Hosts.config());
        assertEquals(NodeState.READY, nodes.one("0000000000").state());

        nodes.lockedByOthers("0000000000", false);
        executor.settle();

        assertEquals(NodeState.DELETING, nodes.one("0000000000").state());
    }

    @Test
    void an_idle_provider_changes_nothing() {
        StaticProvider provider = start(Hosts.config(Hosts.host("one", 1)));

        provider.idle();
        nodes.drop("0000000000");
        provider.notifications().orElseThrow().nodeDeletedNotification(draft());
        provider.cleanupLeakedResources(nodes.current().orElseThrow());
        executor.settle();

        assertTrue(nodes.all().isEmpty());
    }

    @Test
    void a_node_whose_host_does_not_answer_is_not_given_away_and_goes() throws Exception {
        StaticConfig config = Hosts.config(Hosts.host("one", 1));
        StaticProvider provider = start(config);
        Node node = nodes.one("0000000000");
        CompletableFuture<Boolean> well = provider.getRequestHandler(
                        config.pools().get(0), request())
                .checkAlive(node)
                .toCompletableFuture();
        assertTrue(well.getNow(false));

        scanner.isDown("one", "off");
        nodes.lockedByOthers(node.id(), true);
        assertFalse(provider.getRequestHandler(config.pools().get(0), request())
                .checkAlive(node)
                .toCompletableFuture()
                .getNow(true));
        executor.settle();
        assertEquals(NodeState.READY, nodes.one(node.id()).state());
        nodes.lockedByOthers(node.id(), false);
        executor.settle();

        assertEquals(NodeState.DELETING, nodes.one(node.id()).state());
        assertEquals(HostState.Status.ABSENT, provider.hostStates().get(0).status());
    }

    @Test
    void a_node_of_an_unchecked_host_counts_as_alive() {
        StaticConfig config = Hosts.config(Hosts.unchecked(Hosts.host("one", 1), "ssh"));
        StaticProvider provider = start(config);
        scanner.isDown("one", "off");

        assertTrue(provider.getRequestHandler(config.pools().get(0), request())
                .checkAlive(nodes.one("0000000000"))
                .toCompletableFuture()
                .getNow(false));
    }

    @Test
    void nothing_is_launched_and_nothing_looks_leaked() {
        StaticConfig config = Hosts.config(Hosts.host("one", 1));
        StaticProvider provider = start(config);

        assertFalse(provider.launches());
        assertTrue(provider.listNodes().isEmpty());
        assertInstanceOf(Step.Gone.class, provider.cleanupNode(draft(), Map.of()));
        CloudException refused = assertThrows(
                CloudException.class,
                () -> provider.getRequestHandler(config.pools().get(0), request())
                        .launch(launch(config), Map.of()));
        assertEquals(CloudException.Fault.BAD_REQUEST, refused.fault());
    }

    @Test
    void a_second_launcher_that_stays_is_reported_once() {
        StaticProvider provider = start(Hosts.config(Hosts.host("one", 1)));
        nodes.registered(pool("a"), pool("b"));

        for (int look = 0; look < 4; look++) {
            provider.cleanupLeakedResources(nodes.current().orElseThrow());
            assertEquals(look == 0 ? 0 : 1, logged(Level.ERROR));
        }
    }

    @Test
    void a_registration_left_over_from_a_restart_is_not_reported() {
        StaticProvider provider = start(Hosts.config(Hosts.host("one", 1)));
        nodes.registered(pool("a"), pool("b"));
        provider.cleanupLeakedResources(nodes.current().orElseThrow());
        nodes.registered(pool("b"));
        provider.cleanupLeakedResources(nodes.current().orElseThrow());

        assertEquals(0, logged(Level.ERROR));
    }

    private StaticProvider start(StaticConfig config) {
        StaticProvider provider = new StaticProvider(
                config,
                // No requests: this driver makes none.
                new ProviderContext(nodes, nodes, null, scanner, Clock.fixed(NOW, ZoneOffset.UTC), executor, () -> {}),
                StaticProviderTest::resolve);
        provider.start();
        executor.settle();
        return provider;
    }

    private static InetAddress[] resolve(String name) throws UnknownHostException {
        if (name.equals("unknown")) {
            throw new UnknownHostException(name);
        }
        return new InetAddress[] {InetAddress.getByName("192.0.2.1"), InetAddress.getByName("2001:db8::1")};
    }

    private String ready() {
        return String.join(
                " ",
                nodes.all().stream()
                        .filter(node -> node.state() == NodeState.READY)
                        .map(node -> node.machine().hostname().orElse("") + ":"
                                + node.machine().slot().orElse(-1))
                        .sorted()
                        .toList());
    }

    private long logged(Level level) {
        return lines.list.stream().filter(line -> line.getLevel() == level).count();
    }

    private static Node draft() {
        return Node.draft(NodeState.READY, List.of("desk"), Node.Place.NONE, Node.Machine.NONE, NOW);
    }

    static NodeRequest request() {
        return NodeRequest.draft(NodeRequest.Wanted.of(List.of("desk")), NodeRequest.Asker.named("zuul"), NOW);
    }

    private static Launch launch(StaticConfig config) {
        return new Launch(
                draft(), request(), config.pools().get(0), new NoLabel(), "host", Optional.empty(), Map.of(), 1);
    }

    private record NoLabel() implements LabelConfig {
        @Override
        public String name() {
            return "desk";
        }

        @Override
        public Optional<String> diskImage() {
            return Optional.empty();
        }

        @Override
        public Optional<String> cloudImage() {
            return Optional.empty();
        }

        @Override
        public boolean hostKeyChecking() {
            return true;
        }

        @Override
        public Node.Connection connection() {
            return Node.Connection.DEFAULT;
        }
    }

    private static Registration pool(String id) {
        return new Registration(
                "host",
                Registration.Kind.POOL,
                0,
                "running",
                Optional.empty(),
                Optional.of(new Registration.Pool(id, Optional.of("main"), "cellar", List.of("desk"), 100, false)));
    }
}
