package nodepool.cli.verb;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import nodepool.api.config.Configuration;
import nodepool.api.config.ConfigurationReader;
import nodepool.api.config.Schema;
import nodepool.api.config.Section;
import nodepool.api.config.ZooKeeperConfig;
import nodepool.api.driver.Driver;
import nodepool.api.driver.LoadContext;
import nodepool.api.driver.Provider;
import nodepool.api.driver.ProviderConfig;
import nodepool.api.driver.ProviderContext;
import nodepool.api.image.ImageBuild;
import nodepool.api.image.ImageLogin;
import nodepool.api.image.ImageState;
import nodepool.api.image.ImageUpload;
import nodepool.api.json.Stored;
import nodepool.api.plan.ChangePlanner;
import nodepool.api.store.HeldLock;
import nodepool.api.store.Snapshot;
import nodepool.api.store.SnapshotSource.Subscription;
import nodepool.api.store.Stores;
import nodepool.config.YamlConfigurationReader;
import nodepool.driver.fake.FakeDriver;
import nodepool.zk.ZkConnector;
import nodepool.zk.embedded.EmbeddedZooKeeper;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Commands on images, on records in a real ZooKeeper. */
class ImageVerbsTest {

    private static final Instant NOW = Instant.ofEpochSecond(1_726_600_000);
    private static final String BUILD = "0123456789abcdef0123456789abcdef";
    private static final ImageLogin LOGIN = new ImageLogin(Optional.of("zuul"), Optional.of("auto"), Optional.empty());
    private static final String CONFIGURATION = """
            zookeeper-servers: [{host: localhost}]
            build-log-dir: %s
            diskimages:
              - {name: debian}
              - {name: frozen, pause: true}
            providers:
              - {name: east, driver: fake, diskimages: [{name: debian}]}
            """;

    @TempDir
    private Path folder;

    private EmbeddedZooKeeper server;
    private Stores stores;
    private Configuration configuration;
    private List<Driver> drivers = List.of(new FakeDriver());

    @BeforeEach
    void connect() throws Exception {
        server = EmbeddedZooKeeper.start(Files.createDirectory(folder.resolve("zk")), 0);
        stores = new ZkConnector()
                .connect(new ZooKeeperConfig(
                        List.of(server.connectString()), "", Duration.ofSeconds(10), Optional.empty()));
        await(stores.snapshots().next());
        Path file = Files.writeString(folder.resolve("nodepool.yaml"), CONFIGURATION.formatted(folder));
        configuration = new YamlConfigurationReader()
                .read(file, Optional.empty(), Map.of(), List.of(new FakeDriver()))
                .configuration()
                .orElseThrow();
    }

    @AfterEach
    void close() {
        stores.close();
        server.close();
    }

    private static <T> T await(CompletionStage<T> stage) {
        return stage.toCompletableFuture().orTimeout(30, TimeUnit.SECONDS).join();
    }

    private Snapshot until(Predicate<Snapshot> wanted) {
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

    private final class Here implements CommandContext {
        @Override
        public Stores stores() {
            return stores;
        }

        @Override
        public String whereStoresAre() {
            return "ZooKeeper";
        }

        @Override
        public Duration patience() {
            return Duration.ofSeconds(30);
        }

        @Override
        public Optional<Configuration> configuration() {
            return Optional.of(configuration);
        }

        @Override
        public ConfigurationReader.Result validate() {
            return new ConfigurationReader.Result(Optional.of(configuration), List.of());
        }

        @Override
        public ConfigurationReader.Result read(Path other) {
            return validate();
        }

        @Override
        public Collection<ChangePlanner> planners() {
            return List.of();
        }

        @Override
        public Collection<Driver> drivers() {
            return drivers;
        }

        @Override
        public String configurationName() {
            return "nodepool.yaml";
        }

        @Override
        public Clock clock() {
            return Clock.fixed(NOW.plusSeconds(93_784), ZoneOffset.UTC);
        }
    }

    /** What a command has printed, and how it ended. */
    private record Ended(int code, String out, String err) {}

    private VerbCommand command(String name) {
        return new VerbCommand(
                Verbs.all().stream()
                        .filter(one -> one.name().equals(name))
                        .findFirst()
                        .orElseThrow(),
                new Here());
    }

    private Ended nodepool(String name, String... arguments) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        int code = command(name).run(Arrays.asList(arguments), new PrintWriter(out), new PrintWriter(err));
        return new Ended(code, out.toString(), err.toString());
    }

    private HeldLock lock() {
        return await(stores.images().tryLockBuilds("debian")).orElseThrow();
    }

    private void build(ImageState state) {
        HeldLock lock = lock();
        await(stores.images()
                .create(
                        new ImageBuild(
                                "debian",
                                BUILD,
                                state,
                                NOW,
                                Optional.of("nb01"),
                                Optional.empty(),
                                List.of("qcow2", "raw"),
                                LOGIN,
                                Stored.NEVER),
                        lock));
        await(stores.images().unlock(lock));
        until(now -> !now.builds("debian").isEmpty());
    }

    private void upload(ImageState state) {
        HeldLock lock =
                await(stores.images().tryLockUploads("debian", BUILD, "east")).orElseThrow();
        await(stores.images()
                .create(
                        new ImageUpload(
                                "debian",
                                BUILD,
                                "east",
                                "",
                                state,
                                NOW,
                                Optional.of("ext-1"),
                                Optional.of("debian-1"),
                                Optional.of("qcow2"),
                                LOGIN,
                                Stored.NEVER),
                        lock));
        await(stores.images().unlock(lock));
        until(now -> !now.uploads("debian").isEmpty());
    }

    @Test
    void builds_are_listed_and_those_of_a_paused_image_show_paused() {
        build(ImageState.READY);
        assertEquals("""
                +-----------------------------------------+--------+---------+-----------+-------+-------------+
                | ID                                      | Image  | Builder | Formats   | State | Age         |
                +-----------------------------------------+--------+---------+-----------+-------+-------------+
                | debian-0123456789abcdef0123456789abcdef | debian | nb01    | qcow2,raw | ready | 01:02:03:04 |
                +-----------------------------------------+--------+---------+-----------+-------+-------------+
                """, nodepool("dib-image-list").out);

        assertEquals(0, nodepool("image-pause", "debian").code);
        assertEquals(0, nodepool("image-pause", "debian").code);
        until(now -> now.isPaused("debian"));
        assertTrue(nodepool("dib-image-list").out.contains("| paused |"));
        assertTrue(nodepool("dib-image-list", "--detail").out.contains("| ready "));

        assertEquals(0, nodepool("image-unpause", "debian").code);
        assertEquals(0, nodepool("image-unpause", "debian").code);
        until(now -> !now.isPaused("debian"));
        assertTrue(nodepool("dib-image-list").out.contains("| ready |"));
    }

    @Test
    void uploads_are_listed_by_image_and_provider() {
        build(ImageState.READY);
        upload(ImageState.READY);
        String row =
                "| " + BUILD + " | 0000000001 | east     | debian | debian-1            | ext-1             | ready |";
        assertTrue(nodepool("image-list").out.contains(row), nodepool("image-list").out);
        assertTrue(nodepool("image-list", "--provider", "east").out.contains(row));
        assertTrue(!nodepool("image-list", "--provider", "west").out.contains(BUILD));
    }

    @Test
    void a_requested_build_is_shown_as_pending_and_then_as_building() {
        assertEquals(
                new Ended(0, "", "no builder is registered; the request waits for one\n"),
                nodepool("image-build", "debian"));
        until(now -> now.isBuildRequested("debian"));
        assertTrue(
                nodepool("image-status").out.contains("| debian | False  | pending       |"),
                nodepool("image-status").out);

        HeldLock lock = lock();
        until(now -> now.isBuilding("debian"));
        assertTrue(nodepool("image-status").out.contains("| building      |"));
        await(stores.images().unlock(lock));
    }

    @Test
    void what_cannot_be_built_is_refused() {
        Ended unknown = nodepool("image-build", "nothing");
        assertEquals(new Ended(1, "", "Trying to build a non disk-image-builder image: nothing\n"), unknown);
        assertEquals(
                new Ended(1, "", "Skipping build request for image frozen; paused\n"),
                nodepool("image-build", "frozen"));
        assertEquals(new Ended(1, "Image nothing not found\n", ""), nodepool("image-pause", "nothing"));
    }

    @Test
    void waiting_tells_how_the_build_goes_and_ends_as_it_does() throws Exception {
        CompletableFuture<Ended> waiting =
                CompletableFuture.supplyAsync(() -> nodepool("image-build", "debian", "--wait"));
        until(now -> now.isBuildRequested("debian"));
        build(ImageState.BUILDING);
        HeldLock lock = lock();
        ImageBuild building = await(stores.images().readBuild("debian", BUILD)).orElseThrow();
        await(stores.images().write(building.withState(ImageState.READY, NOW), lock));

        Ended ended = waiting.get(30, TimeUnit.SECONDS);

        assertEquals(0, ended.code);
        assertEquals("debian-" + BUILD + " is ready\n", ended.out);
        assertTrue(ended.err.contains("building debian-" + BUILD + " on nb01\n"), ended.err);
    }

    @Test
    void waiting_shows_the_log_while_it_is_written_and_the_reason_of_a_failure() throws Exception {
        Path log = folder.resolve("debian-" + BUILD + ".log");
        Shown err = new Shown();
        CompletableFuture<Integer> waiting = CompletableFuture.supplyAsync(() ->
                command("image-build").run(List.of("debian", "--wait"), new PrintWriter(new Shown()), err.writer()));
        until(now -> now.isBuildRequested("debian"));
        build(ImageState.BUILDING);
        err.await("building debian-" + BUILD + " on nb01\n");

        Files.writeString(log, "making a file system\nhalf a");
        err.await("making a file system\n");
        Files.writeString(log, " line\nno end", StandardOpenOption.APPEND);
        err.await("half a line\n");
        HeldLock lock = lock();
        ImageBuild building = await(stores.images().readBuild("debian", BUILD)).orElseThrow();
        await(stores.images().write(building.withState(ImageState.FAILED, NOW).because("the disk is full"), lock));

        assertEquals(1, waiting.get(30, TimeUnit.SECONDS));
        err.await("no end\n");
        err.await("the disk is full\n");
    }

    /** What a command prints, to be waited for. */
    private static final class Shown extends StringWriter {
        private CompletableFuture<Void> more = new CompletableFuture<>();

        PrintWriter writer() {
            return new PrintWriter(this);
        }

        @Override
        public void flush() {
            synchronized (this) {
                more.complete(null);
                more = new CompletableFuture<>();
            }
        }

        void await(String text) throws Exception {
            while (true) {
                CompletableFuture<Void> next;
                synchronized (this) {
                    if (toString().contains(text)) {
                        return;
                    }
                    next = more;
                }
                next.get(30, TimeUnit.SECONDS);
            }
        }
    }

    @Test
    void a_build_is_marked_for_deletion_unless_it_is_in_progress_or_unknown() {
        build(ImageState.BUILDING);
        assertEquals(
                new Ended(1, "Cannot delete a build in progress\n", ""),
                nodepool("dib-image-delete", "debian-" + BUILD));
        assertEquals(new Ended(1, "Build debian-1 not found\n", ""), nodepool("dib-image-delete", "debian-1"));
        assertEquals(new Ended(1, "Build debian not found\n", ""), nodepool("dib-image-delete", "debian"));

        HeldLock lock = lock();
        ImageBuild building = await(stores.images().readBuild("debian", BUILD)).orElseThrow();
        await(stores.images().write(building.withState(ImageState.READY, NOW), lock));
        assertEquals(new Ended(0, "", ""), nodepool("dib-image-delete", "debian-" + BUILD));
        assertEquals(
                ImageState.DELETING,
                await(stores.images().readBuild("debian", BUILD)).orElseThrow().state());
    }

    @Test
    void an_upload_is_marked_for_deletion_and_keeps_its_external_id() {
        build(ImageState.READY);
        upload(ImageState.READY);
        String[] arguments = {
            "--provider", "east", "--image", "debian", "--build-id", BUILD, "--upload-id", "0000000001"
        };

        assertEquals(new Ended(0, "", ""), nodepool("image-delete", arguments));
        Snapshot seen = until(now -> now.uploads("debian").get(0).state() == ImageState.DELETING);
        assertEquals(Optional.of("ext-1"), seen.uploads("debian").get(0).externalId());

        arguments[7] = "0000000009";
        assertEquals(new Ended(1, "Image upload not found\n", ""), nodepool("image-delete", arguments));
        assertEquals(2, nodepool("image-delete", "--provider", "east").code);
    }

    @Test
    void what_is_exported_is_imported_again() throws Exception {
        build(ImageState.READY);
        upload(ImageState.READY);
        Path file = folder.resolve("images.json");
        assertEquals(new Ended(0, "", "2 records exported\n"), nodepool("export-image-data", file.toString()));
        assertEquals("rw-------", PosixFilePermissions.toString(Files.getPosixFilePermissions(file)));
        Map<String, String> before = await(stores.imageArchive().read());

        nodepool("dib-image-delete", "debian-" + BUILD);
        assertEquals(new Ended(0, "", "2 records imported\n"), nodepool("import-image-data", file.toString()));

        assertEquals(before, await(stores.imageArchive().read()));
        Files.writeString(file, "{\"a\": 1}");
        assertEquals(1, nodepool("import-image-data", file.toString()).code);
    }

    @Test
    void a_cloud_without_images_of_ours_has_no_aliens() {
        Ended ended = nodepool("alien-image-list");
        assertEquals(0, ended.code, ended.err);
        assertTrue(ended.out.startsWith("+----------+------+----------+\n| Provider | Name | Image ID |"), ended.out);
        assertEquals(1, nodepool("alien-image-list", "nowhere").code);
    }

    @Test
    void a_provider_whose_images_cannot_be_listed_is_named_and_does_not_end_the_command() {
        drivers = List.of(new OutOfOrder());
        Ended ended = nodepool("alien-image-list");
        assertEquals(0, ended.code);
        assertEquals("Exception listing alien images for east: out of order\n", ended.err);
    }

    /** The fake cloud's driver on a bad day. */
    private static final class OutOfOrder implements Driver {
        private final Driver fake = new FakeDriver();

        @Override
        public String name() {
            return fake.name();
        }

        @Override
        public Schema getSchema() {
            return fake.getSchema();
        }

        @Override
        public ProviderConfig getProviderConfig(Section provider, LoadContext load) {
            return fake.getProviderConfig(provider, load);
        }

        @Override
        public Provider getProvider(ProviderConfig config, ProviderContext context) {
            throw new IllegalStateException("out of order");
        }
    }
}
