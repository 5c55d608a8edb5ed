package nodepool.launcher;

import static org.junit.jupiter.api.Assertions.assertFalse;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import nodepool.api.config.ZooKeeperConfig;
import nodepool.api.node.Node;
import nodepool.api.node.NodeState;
import nodepool.api.registry.Registration;
import nodepool.api.store.Snapshot;
import nodepool.api.store.Stores;
import nodepool.api.verdict.Account;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * Everything around a launcher: a real ZooKeeper, real stores, clouds that do as they are told, somebody who asks for nodes.
 * One scene for each test, begun with {@link #launcher}.
 */
final class LauncherScene implements AfterEachCallback {

    private final TestServer server = new TestServer();
    private final String chroot;
    private final Map<String, ScriptedCloud> clouds = new ConcurrentHashMap<>();
    private final List<LauncherProcess> launchers = new ArrayList<>();
    private final TestClock clock = new TestClock();
    private final ScriptedScanner scanner = new ScriptedScanner();
    private final Stores stores;
    private final Requestor zuul;
    private final PlainZooKeeper plain;

    LauncherScene() {
        this("");
    }

    /** @param chroot below which everything lies */
    LauncherScene(String chroot) {
        this.chroot = chroot;
        this.stores = connect();
        this.plain = new PlainZooKeeper(server.address() + chroot);
        this.zuul = new Requestor(stores, plain, clock);
    }

    /** Starts another launcher and waits until all of its pools are registered. */
    LauncherProcess launcher(String yaml) {
        LauncherProcess launcher = begin(yaml);
        long pools = launcher.pools();
        String host = launcher.hostname();
        until(
                "pools of " + host,
                now -> now.components().stream()
                                .filter(component -> component.kind() == Registration.Kind.POOL
                                        && component.hostname().equals(host))
                                .count()
                        == pools);
        return launcher;
    }

    /** Starts another launcher, whose pools may never come up. */
    LauncherProcess begin(String yaml) {
        ScriptedDriver driver = new ScriptedDriver(clouds);
        LauncherProcess launcher =
                new LauncherProcess("launcher" + (launchers.size() + 1), connect(), driver, scanner, clock);
        launchers.add(launcher);
        launcher.configure(yaml);
        launcher.start();
        return launcher;
    }

    Requestor zuul() {
        return zuul;
    }

    /** The cloud of that provider. */
    ScriptedCloud cloud(String provider) {
        return ScriptedDriver.cloud(clouds, provider);
    }

    /** The cloud of provider {@code east}. */
    ScriptedCloud cloud() {
        return cloud("east");
    }

    ScriptedScanner scanner() {
        return scanner;
    }

    TestClock clock() {
        return clock;
    }

    /** Somebody's direct access to the store. */
    PlainZooKeeper plain() {
        return plain;
    }

    /** Makes ready nodes that belong to nobody. */
    List<Node> stock(String label, int number) {
        String request = zuul.request(Collections.nCopies(number, label).toArray(String[]::new));
        List<Node> nodes = zuul.awaitNodes(request);
        zuul.delete(request);
        settle();
        until("free stock", now -> nodes.stream().allMatch(node -> isFree(node.id(), now)));
        return nodes;
    }

    /** Waits until a node is ready and anybody can have it. */
    void awaitFree(String node) {
        until("node " + node + " is free", now -> isFree(node, now));
    }

    /** Stores a node of {@code east}'s pool as somebody else left it, unlocked. */
    Node store(NodeState state, String label) {
        return store(state, label, draft -> draft);
    }

    /** Stores a node as somebody else left it, unlocked; {@code change} adds to what a node of {@code east} has. */
    Node store(NodeState state, String label, UnaryOperator<Node> change) {
        Node draft = Node.draft(
                NodeState.INIT, List.of(label), Node.Place.in("east", "main"), Node.Machine.NONE, clock.instant());
        Node stored = Bell.await(stores.nodes().create(change.apply(draft)));
        if (state != NodeState.INIT) {
            zuul.change(stored.id(), node -> node.withState(state, clock.instant()));
        }
        return stored.withState(state, clock.instant());
    }

    /** Waits until an entry is gone of which the stores show nothing: settling rounds are the events to look at. */
    void awaitNoEntry(String path) {
        for (int round = 0; round < 20 && plain.exists(path); round++) {
            settle();
        }
        assertFalse(plain.exists(path), path);
    }

    private static boolean isFree(String node, Snapshot now) {
        return now.node(node)
                .filter(seen -> seen.state() == NodeState.READY && !seen.isAllocated() && !now.isLocked(node))
                .isPresent();
    }

    /** The session of that launcher is lost; its process lives on. */
    void expireSession(LauncherProcess launcher) {
        String pools = "/nodepool/components/pool";
        String own = plain.children(pools).stream()
                .filter(name -> name.startsWith(launcher.hostname()))
                .findFirst()
                .orElseThrow();
        server.expire(plain.owner(pools + "/" + own));
    }

    void stopZooKeeper() {
        server.stop();
    }

    void startZooKeeper() {
        server.startAgain();
        Bell.await(stores.snapshots().next());
    }

    /** ZooKeeper is away for a moment; everybody's session outlives that. */
    void restartZooKeeper() {
        stopZooKeeper();
        startZooKeeper();
    }

    /** The requestor's stores. */
    Stores stores() {
        return stores;
    }

    /** Waits until the shared state is as wanted. */
    Snapshot until(String what, Predicate<Snapshot> wanted) {
        return Snapshots.await(stores, what, now -> Optional.of(now).filter(wanted));
    }

    /** Waits until there are so many nodes in that state. */
    List<Node> awaitNodes(int number, NodeState state) {
        return Snapshots.inState(
                until(
                        number + " nodes " + state,
                        now -> Snapshots.inState(now, state).size() == number),
                state);
    }

    Node awaitNode(String id, NodeState state) {
        return Snapshots.await(
                stores, "node " + id + " is " + state, now -> now.node(id).filter(node -> node.state() == state));
    }

    void awaitGone(String node) {
        until("node " + node + " is gone", now -> now.node(node).isEmpty());
    }

    /** Waits until what all pools have to say of a request is as wanted. */
    List<Account> awaitAccounts(String request, String what, Predicate<List<Account>> wanted) {
        return Bell.await(
                "accounts of " + request + ": " + what,
                wake -> plain.onChange("/nodepool-annex", wake),
                () -> Optional.of(accounts(request)).filter(wanted),
                () -> accounts(request).toString());
    }

    private List<Account> accounts(String request) {
        return Bell.await(stores.accounts().read(request));
    }

    /** Waits until every pool has looked at everything there is, by a request that all of them must decline. */
    void settle() {
        String nobodys = zuul.ask("label-of-nobody").priority("999").submit();
        zuul.awaitFailed(nobodys);
        zuul.delete(nobodys);
    }

    /** Lets everybody see what there is, puts the clock forward, and lets everybody look again. */
    void passTime(Duration by) {
        settle();
        clock.putForward(by);
        settle();
    }

    /** One round of the cleaning that is done once a minute, by a single launcher. */
    void sweep(String provider) {
        int before = cloud(provider).sweeps();
        passTime(Duration.ofSeconds(61));
        cloud(provider).awaitSweeps(before + 1);
    }

    private Stores connect() {
        Stores opened = ServiceLoader.load(Stores.Connector.class)
                .findFirst()
                .orElseThrow()
                .connect(new ZooKeeperConfig(
                        List.of(server.address()), chroot, Duration.ofSeconds(10), Optional.empty()));
        Bell.await(opened.snapshots().next());
        return opened;
    }

    @Override
    public void afterEach(ExtensionContext context) {
        launchers.forEach(LauncherProcess::close);
        stores.close();
        plain.close();
        server.close();
    }
}
