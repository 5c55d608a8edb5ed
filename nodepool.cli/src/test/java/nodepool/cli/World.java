package nodepool.cli;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringReader;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import nodepool.api.config.ZooKeeperConfig;
import nodepool.api.image.ImageBuild;
import nodepool.api.image.ImageLogin;
import nodepool.api.image.ImageState;
import nodepool.api.image.ImageUpload;
import nodepool.api.json.JsonValue;
import nodepool.api.json.JsonValue.JsonObject;
import nodepool.api.json.Stored;
import nodepool.api.node.Node;
import nodepool.api.node.NodeState;
import nodepool.api.quota.QuotaInformation;
import nodepool.api.registry.Registration;
import nodepool.api.request.NodeRequest;
import nodepool.api.store.HeldLock;
import nodepool.api.store.LockedNode;
import nodepool.api.store.Snapshot;
import nodepool.api.store.SnapshotSource.Subscription;
import nodepool.api.store.Stores;
import nodepool.api.verdict.Account;
import nodepool.api.verdict.Reason;
import nodepool.api.verdict.Verdict;
import nodepool.zk.ZkConnector;
import nodepool.zk.embedded.EmbeddedZooKeeper;

/**
 * Records of a small installation below a chroot of their own, a configuration file that leads there, and the tool called as
 * in a terminal at a moment that stands still.
 */
final class World implements AutoCloseable {

    /** When every command is typed. */
    static final Instant NOW = Instant.parse("2024-09-18T21:00:00Z");

    private static final List<String> CONFIGURATIONS =
            List.of("nodepool.yaml", "capacity.yaml", "changed.yaml", "gone.yaml", "broken.yaml");
    private static final String OLD_BUILD = "0123456789abcdef0123456789abcdef";
    private static final String NEW_BUILD = "fedcba9876543210fedcba9876543210";
    private static final ImageLogin LOGIN = new ImageLogin(Optional.of("zuul"), Optional.of("auto"), Optional.empty());

    private final Stores stores;
    private final String address;
    private final Path folder;

    /** An empty one. */
    World(EmbeddedZooKeeper server, String chroot, Path folder) throws IOException {
        this.folder = folder;
        this.address = server.connectString();
        this.stores = new ZkConnector()
                .connect(new ZooKeeperConfig(List.of(address), chroot, Duration.ofSeconds(10), Optional.empty()));
        await(stores.snapshots().next());
        String[] hostAndPort = address.split(":");
        for (String configuration : CONFIGURATIONS) {
            Files.writeString(
                    file(configuration),
                    GoldenTest.resource(configuration)
                            .replace("HOST", hostAndPort[0])
                            .replace("PORT", hostAndPort[1])
                            .replace("CHROOT", chroot));
        }
    }

    Stores stores() {
        return stores;
    }

    Path file(String name) {
        return folder.resolve(name);
    }

    static <T> T await(CompletionStage<T> stage) {
        return stage.toCompletableFuture().orTimeout(30, TimeUnit.SECONDS).join();
    }

    /** The first snapshot that is as wanted. */
    Snapshot until(Predicate<Snapshot> wanted) {
        CompletableFuture<Snapshot> found = new CompletableFuture<>();
        Runnable look = () -> stores.snapshots().current().filter(wanted).ifPresent(found::complete);
        Subscription looking = stores.snapshots().onChange(look);
        try {
            look.run();
            return await(found);
        } finally {
            looking.close();
        }
    }

    /** Calls the tool with {@code -c} and these words. */
    Ended nodepool(String typed, List<String> words) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        List<String> all = new ArrayList<>(List.of("-c", file("nodepool.yaml").toString()));
        words.forEach(word -> all.add(word.replace("/etc/nodepool", folder.toString())));
        PrintWriter outWriter = new PrintWriter(out);
        PrintWriter errWriter = new PrintWriter(err);
        int code = Main.run(
                all,
                new Surroundings(
                        Clock.fixed(NOW, ZoneOffset.UTC),
                        new BufferedReader(new StringReader(typed)),
                        outWriter,
                        errWriter,
                        false,
                        false));
        outWriter.flush();
        errWriter.flush();
        return new Ended(code, named(out.toString()), named(err.toString()));
    }

    /** What differs from run to run gets a name. */
    private String named(String text) {
        return text.replace(folder.toString(), "/etc/nodepool")
                .replace(address, "zk.example:2181")
                .replaceAll("[0-9a-f]{32}__lock__\\d{10}", "CONTENDER")
                .replaceAll("\\.json\\d+\\.new", ".json.new");
    }

    /** What a command has printed, and how it ended. */
    record Ended(int code, String out, String err) {}

    /** Nodes, requests, images and processes. */
    void populate() {
        nodes();
        requests();
        images();
        components();
        until(now -> now.nodes().size() == 6
                && now.isLocked("0000000002")
                && now.requests().size() == 3
                && now.components().size() == 4
                && now.isPaused("frozen")
                && now.uploads("debian").size() == 2);
    }

    private void nodes() {
        node(NodeState.READY, "small", "east", Duration.ofSeconds(93_784), "srv-0");
        node(NodeState.BUILDING, "big", "east", Duration.ofMinutes(3), "srv-1");
        Node used = node(NodeState.IN_USE, "small", "east", Duration.ofHours(2), "srv-2");
        LockedNode locked = await(stores.nodes().tryLock(used.id())).orElseThrow();
        await(stores.nodes()
                .write(locked.with(locked.node()
                        .withAllocation(new Node.Allocation(
                                Optional.of("200-0000000007"), Optional.of("tenant-one"), Optional.of("zuul"))))));
        Node held = node(NodeState.HOLD, "small", "east", Duration.ofDays(3), "srv-3");
        LockedNode holding = await(stores.nodes().tryLock(held.id())).orElseThrow();
        await(stores.nodes()
                .finish(holding.with(holding.node()
                        .withUse(new Node.Use(
                                Optional.of("disk is full"),
                                new JsonObject(Map.of("buildset", JsonValue.of("b-1"))),
                                Optional.of("unit-tests"),
                                OptionalLong.of(864_000))))));
        node(NodeState.HOLD, "big", "east", Duration.ofHours(5), "srv-4");
        node(NodeState.READY, "metal", "rack", Duration.ofDays(200), "host-1");
    }

    private Node node(NodeState state, String label, String provider, Duration age, String server) {
        Node draft = Node.draft(
                        state,
                        List.of(label),
                        Node.Place.in(provider, "main").withAz(Optional.of("az-1")),
                        Node.Machine.NONE
                                .withExternalId(Optional.of(server))
                                .withHostname("np" + server)
                                .withLauncher("nl01-1-PoolWorker." + provider + "-main", NOW.minus(age))
                                .withResources(QuotaInformation.needs(2, 1, 4096)),
                        NOW.minus(age))
                .withAddresses(new Node.Addresses(
                        Optional.of("192.0.2.7"),
                        Optional.of("192.0.2.7"),
                        Optional.of("10.0.0.7"),
                        Optional.of("2001:db8::7")));
        return await(stores.nodes().create(draft));
    }

    private void requests() {
        request("100", "zuul", List.of("small", "big"));
        NodeRequest waiting = request("200", "zuul", List.of("huge"));
        request("900", NodeRequest.MIN_READY, List.of("small"));
        String launcher = "nl01-1-PoolWorker.east-main";
        await(stores.accounts()
                .write(
                        launcher,
                        List.of(new Account(
                                waiting.id(),
                                "east",
                                "main",
                                launcher,
                                new Verdict.Defer(Reason.quotaFull("cores", 16, 3)),
                                NOW.minusSeconds(90),
                                List.of(Account.Moment.of(
                                        NOW.minusSeconds(100), Account.What.TAKEN_OVER, "from nl00"))))));
    }

    private NodeRequest request(String priority, String requestor, List<String> labels) {
        NodeRequest.Asker asker = new NodeRequest.Asker(
                Optional.of(requestor),
                JsonValue.JsonNull.NULL,
                Optional.of("event-1"),
                Optional.of(NOW.minusSeconds(120)),
                Optional.of("tenant-one"));
        return await(stores.requests()
                .create(
                        NodeRequest.draft(NodeRequest.Wanted.of(labels), asker, NOW.minusSeconds(120)),
                        priority,
                        false));
    }

    private void images() {
        build(OLD_BUILD, ImageState.READY, Duration.ofDays(2));
        build(NEW_BUILD, ImageState.READY, Duration.ofHours(20));
        upload(OLD_BUILD, ImageState.READY, Duration.ofHours(47), Optional.of("img-1"));
        upload(NEW_BUILD, ImageState.UPLOADING, Duration.ofMinutes(10), Optional.empty());
        await(stores.imageMarks().pause("frozen"));
    }

    private void build(String id, ImageState state, Duration age) {
        HeldLock lock = await(stores.images().tryLockBuilds("debian")).orElseThrow();
        await(stores.images()
                .create(
                        new ImageBuild(
                                "debian",
                                id,
                                state,
                                NOW.minus(age),
                                Optional.of("nb01"),
                                Optional.of("b-1"),
                                List.of("qcow2", "raw"),
                                LOGIN,
                                Stored.NEVER),
                        lock));
        await(stores.images().unlock(lock));
    }

    private void upload(String build, ImageState state, Duration age, Optional<String> externalId) {
        HeldLock lock =
                await(stores.images().tryLockUploads("debian", build, "east")).orElseThrow();
        await(stores.images()
                .create(
                        new ImageUpload(
                                "debian",
                                build,
                                "east",
                                "",
                                state,
                                NOW.minus(age),
                                externalId,
                                externalId.map(id -> "debian-1"),
                                Optional.of("qcow2"),
                                LOGIN,
                                Stored.NEVER),
                        lock));
        await(stores.images().unlock(lock));
    }

    private void components() {
        register(Registration.Kind.LAUNCHER, Optional.empty());
        register(Registration.Kind.BUILDER, Optional.empty());
        register(Registration.Kind.POOL, Optional.of(pool("east", 10, List.of("big", "small"), false)));
        register(Registration.Kind.POOL, Optional.of(pool("rack", 100, List.of("metal"), true)));
    }

    private static Registration.Pool pool(String provider, int priority, List<String> labels, boolean paused) {
        return new Registration.Pool(
                "nl01-1-PoolWorker." + provider + "-main", Optional.of("main"), provider, labels, priority, paused);
    }

    private void register(Registration.Kind kind, Optional<Registration.Pool> pool) {
        await(stores.components()
                .register(new Registration(
                        kind == Registration.Kind.BUILDER ? "nb01" : "nl01",
                        kind,
                        0,
                        "running",
                        Optional.of("1.0.0"),
                        pool)));
    }

    @Override
    public void close() {
        stores.close();
    }
}
