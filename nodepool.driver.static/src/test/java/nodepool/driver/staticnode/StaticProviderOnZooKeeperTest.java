package nodepool.driver.staticnode;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.reflect.Proxy;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import nodepool.api.config.ZooKeeperConfig;
import nodepool.api.driver.HostKeyScanner;
import nodepool.api.driver.ProviderContext;
import nodepool.api.node.Node;
import nodepool.api.node.NodeState;
import nodepool.api.store.LockedNode;
import nodepool.api.store.NodeStore;
import nodepool.api.store.Snapshot;
import nodepool.api.store.SnapshotSource.Subscription;
import nodepool.api.store.Stores;
import nodepool.driver.statemachine.keyscan.KeyScanner;
import nodepool.testkit.DeadPort;
import nodepool.testkit.RealPart;
import nodepool.testkit.SilentPort;
import nodepool.testkit.SshdProcess;
import nodepool.zk.embedded.EmbeddedZooKeeper;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The provider with the real stores, a real server and real threads. */
class StaticProviderOnZooKeeperTest {

    @TempDir
    private Path folder;

    private final ScriptedScanner scanner = new ScriptedScanner();
    private final ScheduledThreadPoolExecutor executor = new ScheduledThreadPoolExecutor(4);
    private EmbeddedZooKeeper server;
    private Stores ours;
    private Stores theirs;

    @BeforeEach
    void connect() throws Exception {
        server = EmbeddedZooKeeper.start(folder, 0);
        ours = open();
        theirs = open();
    }

    @AfterEach
    void close() {
        executor.shutdownNow();
        ours.close();
        theirs.close();
        server.close();
    }

    @Test
    void a_used_record_comes_back_ready_in_its_slot_under_a_new_id() {
        StaticProvider provider = start(Hosts.config(Hosts.host("one", 2)));
        Snapshot before = until(now -> ready(now).size() == 2);
        Node taken = ready(before).get(0);

        LockedNode locked = await(theirs.nodes().tryLock(taken.id())).orElseThrow();
        locked = await(theirs.nodes().write(locked.with(taken.withState(NodeState.DELETING, Instant.now()))))
                .orElseThrow();
        await(theirs.nodes().remove(locked));
        provider.notifications().orElseThrow().nodeDeletedNotification(taken);

        Snapshot after =
                until(now -> now.node(taken.id()).isEmpty() && ready(now).size() == 2);
        Node back = ready(after).stream()
                .filter(node -> node.machine().slot().equals(taken.machine().slot()))
                .findFirst()
                .orElseThrow();
        assertNotEquals(taken.id(), back.id());
        assertFalse(after.isLocked(back.id()));
    }

    @Test
    void a_configuration_change_updates_adds_and_removes_and_then_leaves_the_store_alone() throws Exception {
        StaticProvider old = start(Hosts.config(Hosts.host("one", 1, "desk"), Hosts.host("two", 1)));
        Snapshot before = until(now -> ready(now).size() == 2);
        String one = record(before, "one").id();
        String two = record(before, "two").id();
        old.idle();

        start(Hosts.config(Hosts.host("one", 1, "desk", "lap"), Hosts.host("three", 1)));

        Snapshot after = until(now -> now.node(one)
                        .filter(node -> node.types().equals(List.of("desk", "lap")))
                        .isPresent()
                && now.node(two)
                        .filter(node -> node.state() == NodeState.DELETING)
                        .isPresent()
                && ready(now).size() == 2
                && !now.isLocked(one)
                && !now.isLocked(two));
        assertEquals(one, record(after, "one").id());
        CompletableFuture<Long> quiet = new CompletableFuture<>();
        long transaction = server.lastTransaction();
        executor.schedule(() -> quiet.complete(server.lastTransaction()), 500, TimeUnit.MILLISECONDS);
        assertEquals(transaction, await(quiet));
    }

    @Test
    void a_host_that_stops_answering_loses_its_free_record() throws Exception {
        StaticConfig config = Hosts.config(Hosts.host("one", 1));
        StaticProvider provider = start(config);
        Node node = record(until(now -> ready(now).size() == 1), "one");
        LockedNode locked = await(ours.nodes().tryLock(node.id())).orElseThrow();
        scanner.isDown("one", "off");

        boolean alive = await(provider.getRequestHandler(config.pools().get(0), StaticProviderTest.request())
                .checkAlive(locked.node()));
        await(ours.nodes().unlock(locked.lock()));

        assertFalse(alive);
        until(now -> now.node(node.id())
                .filter(seen -> seen.state() == NodeState.DELETING)
                .isPresent());
    }

    @Test
    void two_generations_at_once_end_with_one_record_for_each_slot() {
        start(Hosts.config(Hosts.host("one", 2), Hosts.host("two", 2)));
        start(Hosts.config(Hosts.host("one", 2), Hosts.host("two", 2)));

        Snapshot calm = until(now -> ready(now).size() == 4
                && ready(now).stream()
                                .map(node -> node.machine().hostname() + "/"
                                        + node.machine().slot())
                                .distinct()
                                .count()
                        == 4);
        assertTrue(calm.nodesOf("cellar").stream()
                .allMatch(node -> node.state() == NodeState.READY || node.state() == NodeState.DELETING));
    }

    @RepeatedTest(5)
    void generations_in_a_row_never_stand_for_more_slots_than_there_are() {
        List<Integer> counts = new CopyOnWriteArrayList<>();
        Subscription counting = theirs.snapshots()
                .onChange(() -> theirs.snapshots()
                        .current()
                        .ifPresent(now -> counts.add(now.nodesOf("cellar").size())));
        AtomicReference<StaticProvider> current = new AtomicReference<>();
        current.set(build(Hosts.config(Hosts.host("one", 2)), scanner, afterCreation(() -> {
            current.get().idle();
            start(Hosts.config(Hosts.host("one", 2)));
        })));

        current.get().start();

        until(now -> ready(now).size() == 2);
        counting.close();
        assertEquals(2, Collections.max(counts));
    }

    /** Our nodes, and something that happens between asking for a record and having it. */
    private NodeStore afterCreation(Runnable then) {
        return (NodeStore) Proxy.newProxyInstance(
                NodeStore.class.getClassLoader(), new Class<?>[] {NodeStore.class}, (proxy, method, arguments) -> {
                    Object answer = method.invoke(ours.nodes(), arguments);
                    if (method.getName().equals("create")) {
                        then.run();
                    }
                    return answer;
                });
    }

    @Test
    void hosts_that_speak_ssh_are_ready_with_their_keys_and_the_others_absent_with_a_reason() throws Exception {
        RealPart.SSHD.require();
        try (KeyScanner real = new KeyScanner(new SecureRandom(), System::nanoTime);
                Warnings warnings = new Warnings("nodepool.driver.static");
                SshdProcess rsa = sshd("rsa");
                SshdProcess ecdsa = sshd("ecdsa");
                SshdProcess ed25519 = sshd("ed25519");
                DeadPort dead = DeadPort.open();
                SilentPort silent = SilentPort.open()) {
            StaticProvider provider = start(
                    Hosts.config(
                            at(rsa.port()), at(ecdsa.port()), at(ed25519.port()), at(dead.port()), at(silent.port())),
                    real);

            Snapshot after = until(now -> ready(now).size() == 3);
            warnings.await(2);

            assertEquals(
                    Set.of(rsa.hostKeys(), ecdsa.hostKeys(), ed25519.hostKeys()),
                    ready(after).stream()
                            .map(node -> node.connection().hostKeys())
                            .collect(Collectors.toSet()));
            assertEquals(
                    Set.of(
                            "127.0.0.1 port " + dead.port() + " was not scanned within 10 s: Connection refused",
                            "127.0.0.1 port " + silent.port() + " was not scanned within 10 s: no answer"),
                    provider.hostStates().stream()
                            .filter(state -> state.status() == HostState.Status.ABSENT)
                            .map(HostState::reason)
                            .collect(Collectors.toSet()));
        }
    }

    private SshdProcess sshd(String keyType) throws Exception {
        return SshdProcess.start(Files.createDirectory(folder.resolve(keyType)), keyType);
    }

    private static StaticNode at(int port) {
        return Hosts.listening(Hosts.host("127.0.0.1", 1), port, Duration.ofSeconds(10));
    }

    private StaticProvider start(StaticConfig config) {
        return start(config, scanner);
    }

    private StaticProvider start(StaticConfig config, HostKeyScanner scanner) {
        StaticProvider provider = build(config, scanner, ours.nodes());
        provider.start();
        return provider;
    }

    private StaticProvider build(StaticConfig config, HostKeyScanner scanner, NodeStore nodes) {
        return new StaticProvider(
                config,
                new ProviderContext(
                        ours.snapshots(), nodes, ours.requests(), scanner, Clock.systemUTC(), executor, () -> {}),
                name -> new InetAddress[] {InetAddress.getLoopbackAddress()});
    }

    private Stores open() {
        Stores stores = ServiceLoader.load(Stores.Connector.class)
                .findFirst()
                .orElseThrow()
                .connect(new ZooKeeperConfig(
                        List.of(server.connectString()), "", Duration.ofSeconds(10), Optional.empty()));
        await(stores.snapshots().next());
        return stores;
    }

    private static List<Node> ready(Snapshot snapshot) {
        return snapshot.nodesOf("cellar").stream()
                .filter(node -> node.state() == NodeState.READY)
                .toList();
    }

    private static Node record(Snapshot snapshot, String host) {
        return ready(snapshot).stream()
                .filter(node -> node.machine().hostname().equals(Optional.of(host)))
                .findFirst()
                .orElseThrow();
    }

    private Snapshot until(Predicate<Snapshot> state) {
        CompletableFuture<Snapshot> reached = new CompletableFuture<>();
        Runnable look = () -> theirs.snapshots().current().filter(state).ifPresent(reached::complete);
        Subscription subscription = theirs.snapshots().onChange(look);
        try {
            look.run();
            return await(reached);
        } finally {
            subscription.close();
        }
    }

    private static <T> T await(CompletionStage<T> stage) {
        return stage.toCompletableFuture().orTimeout(30, TimeUnit.SECONDS).join();
    }
}
