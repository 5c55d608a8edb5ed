package nodepool.builder;

import java.io.IOException;
import java.net.URISyntaxException;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.StandardWatchEventKinds;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.stream.Stream;
import nodepool.api.config.Configuration;
import nodepool.api.config.ConfigurationSource;
import nodepool.api.config.DiskImage;
import nodepool.api.config.Location;
import nodepool.api.config.Problem;
import nodepool.api.config.ProviderEntry;
import nodepool.api.config.Section;
import nodepool.api.config.ZooKeeperConfig;
import nodepool.api.driver.WantedImages;
import nodepool.api.event.Event;
import nodepool.api.image.ImageBuild;
import nodepool.api.image.ImageLogin;
import nodepool.api.image.ImageState;
import nodepool.api.image.ImageUpload;
import nodepool.api.json.JsonValue;
import nodepool.api.store.Snapshot;
import nodepool.api.store.SnapshotSource.Subscription;
import nodepool.api.store.Stores;
import nodepool.zk.ZkConnector;
import nodepool.zk.embedded.EmbeddedZooKeeper;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.retry.RetryOneTime;

/** Builders with real stores, real processes and real files; only the cloud and the image command are stand-ins. */
final class Workshop implements AutoCloseable {

    private static final Map<String, String> ENVIRONMENT = Map.of(
            "TMPDIR",
            "/opt/dib_tmp",
            "DIB_IMAGE_CACHE",
            "/opt/dib_cache",
            "DIB_CLOUD_IMAGES",
            "http://download.fedoraproject.org/pub/fedora/linux/releases/test/21-Beta/Cloud/Images/x86_64/",
            "BASE_IMAGE_FILE",
            "Fedora-Cloud-Base-20141029-21_Beta.x86_64.qcow2");
    private static final ImageLogin LOGIN = new ImageLogin(Optional.of("zuul"), Optional.of("auto"), Optional.of("sh"));

    final TestCloud cloud = new TestCloud();
    final List<Event> events = new CopyOnWriteArrayList<>();
    final Path folder;
    final Path images;
    private final EmbeddedZooKeeper server;
    private final Stores observer;
    private final ShiftedClock clock = new ShiftedClock();
    private final List<Running> builders = new ArrayList<>();

    Workshop(Path folder) throws IOException, InterruptedException {
        this.folder = folder;
        this.images = Files.createDirectories(folder.resolve("images"));
        this.server = EmbeddedZooKeeper.start(Files.createDirectories(folder.resolve("zk")), 0);
        this.observer = connect();
        await(observer.snapshots().next());
    }

    private Stores connect() {
        return new ZkConnector()
                .connect(new ZooKeeperConfig(
                        List.of(server.connectString()), "", Duration.ofSeconds(10), Optional.empty()));
    }

    /** Writes into the store what no record is. */
    void spoil(String path, String text) throws Exception {
        try (CuratorFramework raw = CuratorFrameworkFactory.newClient(server.connectString(), new RetryOneTime(1000))) {
            raw.start();
            raw.create().creatingParentsIfNeeded().forPath(path, text.getBytes(StandardCharsets.UTF_8));
        }
    }

    /** The system's time, moved. */
    private static final class ShiftedClock extends Clock {
        private volatile Duration shift = Duration.ZERO;

        @Override
        public Instant instant() {
            return Clock.systemUTC().instant().plus(shift);
        }

        @Override
        public ZoneId getZone() {
            return ZoneOffset.UTC;
        }

        @Override
        public Clock withZone(ZoneId zone) {
            return this;
        }
    }

    /** A configuration that tests change. */
    static final class Settings implements ConfigurationSource {
        final Map<String, DiskImage> images = new LinkedHashMap<>();
        final Map<String, WantedImages> providers = new LinkedHashMap<>();
        final List<String> withoutDriver = new ArrayList<>();
        int logRetention = 7;
        Path elements = Path.of("elements");
        private final Path folder;
        private final Path imagesDir;
        private final List<Runnable> wakes = new CopyOnWriteArrayList<>();
        private final AtomicReference<Optional<Configuration>> current = new AtomicReference<>(Optional.empty());

        Settings(Path folder, Path imagesDir) {
            this.folder = folder;
            this.imagesDir = imagesDir;
        }

        /** Puts into force what was changed. */
        void reload() {
            List<ProviderEntry> entries = new ArrayList<>();
            providers.forEach((name, wanted) -> entries.add(
                    new ProviderEntry(name, TestCloud.WORD, EMPTY, Optional.of(new TestCloud.Entry(name, wanted)))));
            withoutDriver.forEach(name -> entries.add(new ProviderEntry(name, "absent", EMPTY, Optional.empty())));
            current.set(Optional.of(new Configuration(
                    Optional.empty(),
                    new Configuration.WebApp("127.0.0.1", 0),
                    new Configuration.Builder(
                            Optional.of(elements.toString()),
                            Optional.of(imagesDir),
                            folder.resolve("logs"),
                            logRetention),
                    Map.of(),
                    new LinkedHashMap<>(images),
                    entries,
                    Map.of(),
                    Duration.ZERO,
                    new Configuration.Compat(false, false),
                    List.of())));
            wakes.forEach(Runnable::run);
        }

        @Override
        public Optional<Configuration> current() {
            return current.get();
        }

        @Override
        public List<Problem> problems() {
            return List.of();
        }

        @Override
        public Subscription onChange(Runnable wake) {
            wakes.add(wake);
            return () -> wakes.remove(wake);
        }
    }

    /** One builder and its connection. */
    record Running(Builder builder, Settings settings, Stores stores) {
        void stop() {
            builder.stop();
            stores.close();
        }
    }

    Settings settings() {
        return new Settings(folder, images);
    }

    Running start(Settings settings) {
        Stores stores = connect();
        DriverRegistry drivers = new DriverRegistry();
        drivers.addDriver(cloud);
        Map<String, String> environment = new HashMap<>(System.getenv());
        environment.put("PATH", "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin");
        Builder builder = new Builder(
                new BuilderOptions(1, 4, false, command().getParent()),
                "nb01.example.com",
                clock,
                UUID::randomUUID,
                environment,
                settings,
                stores,
                drivers,
                events::add);
        builder.start();
        settings.reload();
        Running running = new Running(builder, settings, stores);
        builders.add(running);
        return running;
    }

    private static Path command() {
        try {
            URL script = Objects.requireNonNull(Workshop.class.getResource("/fake-image-create"));
            Path path = Path.of(script.toURI());
            if (!path.toFile().setExecutable(true)) {
                throw new IllegalStateException(path + " cannot be made executable");
            }
            return path;
        } catch (URISyntaxException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    /** An image to build, with changes. */
    static DiskImage image(String name, Consumer<ImageDraft> changes) {
        ImageDraft draft = new ImageDraft();
        changes.accept(draft);
        Map<String, String> environment = new HashMap<>(ENVIRONMENT);
        environment.putAll(draft.environment);
        return new DiskImage(
                name,
                draft.elements,
                environment,
                draft.formats,
                draft.keepFormats,
                draft.deleteAfterUpload,
                draft.paused,
                draft.rebuildAge,
                draft.timeout,
                draft.release,
                LOGIN,
                draft.command,
                Map.of("diskimage_metadata", "yes", "overridden", "no"));
    }

    static DiskImage image(String name) {
        return image(name, draft -> {});
    }

    /** What tests change of an image. */
    static final class ImageDraft {
        List<String> elements = List.of("fedora", "vm");
        Map<String, String> environment = Map.of();
        List<String> formats = List.of();
        List<String> keepFormats = List.of();
        String release = "21";
        boolean deleteAfterUpload;
        boolean paused;
        Duration rebuildAge = Duration.ofDays(1);
        Duration timeout = Duration.ofMinutes(5);
        String command = "%p/fake-image-create";
    }

    static WantedImages wanting(String format, String... names) {
        return wanting(format, Optional.empty(), names);
    }

    static WantedImages wanting(String format, Optional<String> hook, String... names) {
        return new WantedImages(
                format,
                "{image_name}-{upload_id}-{timestamp}",
                hook,
                Stream.of(names)
                        .map(name -> new WantedImages.Entry(name, false, Map.of("overridden", "by provider")))
                        .toList());
    }

    /** Lets time pass for all builders, and lets them notice. */
    void pass(Duration time) {
        clock.shift = clock.shift.plus(time);
        builders.forEach(running -> running.settings.reload());
    }

    Stores stores() {
        return observer;
    }

    /** The first snapshot that is as wanted. */
    Snapshot until(Predicate<Snapshot> wanted) {
        CompletableFuture<Snapshot> found = new CompletableFuture<>();
        Runnable look = () -> observer.snapshots().current().filter(wanted).ifPresent(found::complete);
        Subscription looking = observer.snapshots().onChange(look);
        try {
            look.run();
            return await(found);
        } finally {
            looking.close();
        }
    }

    static <T> T await(CompletionStage<T> stage) {
        return stage.toCompletableFuture().orTimeout(60, TimeUnit.SECONDS).join();
    }

    /** Waits for a build in that state. */
    ImageBuild build(String image, ImageState state) {
        return builds(until(now -> !builds(now, image, state).isEmpty()), image, state)
                .get(0);
    }

    static List<ImageBuild> builds(Snapshot snapshot, String image, ImageState state) {
        return snapshot.builds(image).stream()
                .filter(build -> build.state() == state)
                .toList();
    }

    /** Waits for an upload in that state. */
    ImageUpload upload(String image, String provider, ImageState state) {
        return uploads(until(now -> !uploads(now, image, provider, state).isEmpty()), image, provider, state)
                .get(0);
    }

    static List<ImageUpload> uploads(Snapshot snapshot, String image, String provider, ImageState state) {
        return snapshot.uploads(image).stream()
                .filter(upload -> upload.provider().equals(provider) && upload.state() == state)
                .toList();
    }

    /** Names in the images directory, without the builder's own. */
    List<String> files() throws IOException {
        try (Stream<Path> entries = Files.list(images)) {
            return entries.map(entry -> entry.getFileName().toString())
                    .filter(name -> !name.equals(BuilderId.FILE)
                            && !name.startsWith("fake-image-create")
                            && !name.equals(CommandRun.RUNNING))
                    .sorted()
                    .toList();
        }
    }

    /** Logs of builds. */
    List<String> logs() throws IOException {
        try (Stream<Path> entries = Files.list(folder.resolve("logs"))) {
            return entries.map(entry -> entry.getFileName().toString()).sorted().toList();
        }
    }

    String log(ImageBuild build) throws IOException {
        return Files.readString(folder.resolve("logs").resolve(build.image() + "-" + build.id() + ".log"));
    }

    /** Waits until the images directory is as wanted; woken by every change in it. */
    void untilFiles(Predicate<List<String>> wanted) throws Exception {
        try (var watch = images.getFileSystem().newWatchService()) {
            images.register(watch, StandardWatchEventKinds.ENTRY_CREATE, StandardWatchEventKinds.ENTRY_DELETE);
            while (!wanted.test(files())) {
                var key = watch.poll(60, TimeUnit.SECONDS);
                if (key == null) {
                    throw new AssertionError("the files stay " + files());
                }
                key.pollEvents();
                key.reset();
            }
        }
    }

    /** Makes the image command wait after it has begun, until {@link #resume}. */
    void pauseCommand() throws Exception {
        int status = new ProcessBuilder(
                        "mkfifo", images.resolve("fake-image-create.pause").toString())
                .start()
                .waitFor();
        if (status != 0) {
            throw new IllegalStateException("mkfifo failed");
        }
    }

    void resume() throws IOException {
        Path fifo = images.resolve("fake-image-create.pause");
        Files.writeString(fifo, "go\n", StandardOpenOption.WRITE);
        Files.delete(fifo);
    }

    @Override
    public void close() {
        builders.forEach(Running::stop);
        observer.close();
        server.close();
    }

    private static final Section EMPTY = new Section() {
        @Override
        public Location at() {
            return new Location("test", 0, 0);
        }

        @Override
        public Location at(String key) {
            return at();
        }

        @Override
        public String path() {
            return "";
        }

        @Override
        public boolean has(String key) {
            return false;
        }

        @Override
        public Optional<String> text(String key) {
            return Optional.empty();
        }

        @Override
        public OptionalInt integer(String key) {
            return OptionalInt.empty();
        }

        @Override
        public Optional<Double> number(String key) {
            return Optional.empty();
        }

        @Override
        public Optional<Boolean> bool(String key) {
            return Optional.empty();
        }

        @Override
        public List<String> texts(String key) {
            return List.of();
        }

        @Override
        public Optional<Section> section(String key) {
            return Optional.empty();
        }

        @Override
        public List<Section> sections(String key) {
            return List.of();
        }

        @Override
        public Map<String, Double> numbers(String key) {
            return new ConcurrentHashMap<>();
        }

        @Override
        public Optional<JsonValue> json(String key) {
            return Optional.empty();
        }
    };
}
