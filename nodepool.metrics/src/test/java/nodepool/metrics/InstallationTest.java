package nodepool.metrics;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import nodepool.api.config.Configuration;
import nodepool.api.config.ConfigurationSource;
import nodepool.api.config.DiskImage;
import nodepool.api.config.Problem;
import nodepool.api.config.ZooKeeperConfig;
import nodepool.api.event.Event;
import nodepool.api.image.ImageLogin;
import nodepool.api.node.Node;
import nodepool.api.node.NodeState;
import nodepool.api.quota.QuotaInformation;
import nodepool.api.registry.Registration;
import nodepool.api.request.NodeRequest;
import nodepool.api.store.SnapshotSource.Subscription;
import nodepool.api.store.Stores;
import nodepool.metrics.prometheus.Exposition;
import nodepool.metrics.prometheus.Readings;
import nodepool.metrics.source.EventMetrics;
import nodepool.metrics.source.GaugeReporter;
import nodepool.metrics.source.OwnBuilder;
import nodepool.metrics.source.OwnPools;
import nodepool.metrics.statsd.StatsdAddress;
import nodepool.metrics.statsd.StatsdSender;
import nodepool.testkit.RealPart;
import nodepool.zk.ZkConnector;
import nodepool.zk.embedded.EmbeddedZooKeeper;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What stands in a real ZooKeeper, as it arrives at statsd's port and at a scrape. */
class InstallationTest {

    private static final NodeRequest.Asker ASKER = NodeRequest.Asker.named("test");

    @TempDir
    Path folder;

    private EmbeddedZooKeeper server;
    private Stores stores;
    private UdpReceiver receiver;
    private StatsdSender sender;
    private final Readings readings = new Readings();
    private EventMetrics events;
    private GaugeReporter reporter;

    @BeforeEach
    void open() throws Exception {
        server = EmbeddedZooKeeper.start(folder, 0);
        stores = new ZkConnector()
                .connect(new ZooKeeperConfig(
                        List.of(server.connectString()), "", Duration.ofSeconds(10), Optional.empty()));
        await(stores.snapshots().next());
        receiver = new UdpReceiver();
        sender = new StatsdSender(StatsdAddress.of(receiver.environment()).orElseThrow(), System::nanoTime);
        sender.start();
    }

    @AfterEach
    void close() {
        if (reporter != null) {
            reporter.close();
        }
        sender.close();
        receiver.close();
        stores.close();
        server.close();
    }

    /** @param launcher whether a pool of this process has shown itself */
    private void report(boolean launcher) {
        Meter meter = new Meter(readings, Optional.of(sender), () -> false);
        OwnPools pools = new OwnPools();
        OwnBuilder builder = new OwnBuilder();
        events = new EventMetrics(meter, Clock.systemUTC(), pools, builder);
        if (launcher) {
            events.on(new Event.PoolPassed("rax", "main", Duration.ofMillis(1)));
        } else {
            events.on(new Event.Building("nb01.example.com", 2, Set.of("noble")));
            events.on(new Event.Uploading("nb01.example.com", 4, Set.of()));
        }
        reporter = new GaugeReporter(
                meter,
                Clock.systemUTC(),
                Executors.newSingleThreadScheduledExecutor(),
                pools,
                builder,
                new Fixed(configuration()),
                stores.snapshots());
    }

    @Test
    void nodes_and_requests_of_the_installation_are_counted() throws Exception {
        await(stores.components()
                .register(new Registration(
                        "nl01",
                        Registration.Kind.POOL,
                        0,
                        "running",
                        Optional.empty(),
                        Optional.of(new Registration.Pool(
                                "nl01-1", Optional.of("main"), "rax", List.of("noble", "jammy"), 100, false)))));
        create(NodeState.READY, "noble");
        create(NodeState.IN_USE, "noble", "big");
        await(stores.requests()
                .create(
                        NodeRequest.draft(NodeRequest.Wanted.of(List.of("noble")), ASKER, Instant.now()),
                        "100",
                        false));
        await(stores.requests()
                .create(
                        NodeRequest.draft(NodeRequest.Wanted.of(List.of("other")), ASKER, Instant.now()),
                        "100",
                        false));
        await(stores.snapshots().caughtUp());
        report(true);

        Map<String, String> values = valuesUntil("nodepool.image_build_requests|g");
        Map<String, String> expected = new HashMap<>();
        for (NodeState state : NodeState.values()) {
            expected.put("nodepool.nodes." + state.wireName() + "|g", "0");
            expected.put("nodepool.provider.rax.nodes." + state.wireName() + "|g", "0");
            expected.put("nodepool.label.noble.nodes." + state.wireName() + "|g", "0");
            expected.put("nodepool.label.jammy.nodes." + state.wireName() + "|g", "0");
        }
        for (String which : List.of("nodes", "provider.rax.nodes", "label.noble.nodes")) {
            expected.put("nodepool." + which + ".ready|g", "1");
            expected.put("nodepool." + which + ".in-use|g", "1");
        }
        expected.put("nodepool.label.big.nodes.in-use|g", "1");
        expected.put("nodepool.provider.rax.pool.main.addressable_requests|g", "1");
        expected.put("nodepool.tenant_limits.a_b.cores|g", "8");
        expected.put("nodepool.tenant_limits.a_b.volume-gb|g", "20");
        expected.put("nodepool.image.noble.image_build_requests|g", "0");
        expected.put("nodepool.image_build_requests|g", "0");
        assertEquals(Map.copyOf(expected), Map.copyOf(values));
    }

    @Test
    void a_builder_reports_its_images_and_no_nodes() throws Exception {
        await(stores.imageMarks().requestBuild("noble"));
        await(stores.snapshots().caughtUp());
        report(false);

        assertEquals(
                Map.of(
                        "nodepool.builder.nb01.example.com.current_builds|g", "1",
                        "nodepool.builder.nb01.example.com.build_workers|g", "2",
                        "nodepool.builder.nb01.example.com.image.noble.build.state|g", "1",
                        "nodepool.builder.nb01.example.com.current_uploads|g", "0",
                        "nodepool.builder.nb01.example.com.upload_workers|g", "4",
                        "nodepool.image.noble.image_build_requests|g", "1",
                        "nodepool.image_build_requests|g", "1"),
                valuesUntil("nodepool.image_build_requests|g"));
    }

    @Test
    void a_change_is_reported_without_waiting_for_the_next_period() throws Exception {
        report(true);
        valuesUntil("nodepool.image_build_requests|g");
        long begun = System.nanoTime();
        create(NodeState.READY, "noble");
        for (Map<String, String> values = Map.of(); !"1".equals(values.get("nodepool.nodes.ready|g")); ) {
            values = UdpReceiver.values(receiver.datagram());
        }
        Duration took = Duration.ofNanos(System.nanoTime() - begun);
        assertTrue(took.compareTo(Duration.ofSeconds(8)) < 0, () -> "took " + took);
    }

    @Test
    void prometheus_reads_the_text_and_finds_nothing_to_complain_about() throws Exception {
        RealPart.PROMETHEUS.require();
        create(NodeState.READY, "noble");
        report(true);
        valuesUntil("nodepool.image_build_requests|g");
        String text = new Exposition(Catalogue.ALL, readings).text();
        assertTrue(text.contains("nodepool_nodes{state=\"ready\"} 1\n"), text);

        Process promtool = new ProcessBuilder("promtool", "check", "metrics")
                .redirectErrorStream(true)
                .start();
        promtool.getOutputStream().write(text.getBytes(StandardCharsets.UTF_8));
        promtool.getOutputStream().close();
        String said = new String(promtool.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertTrue(promtool.waitFor(20, TimeUnit.SECONDS));
        assertEquals("", said);
        assertEquals(0, promtool.exitValue());
    }

    private void create(NodeState state, String... labels) throws Exception {
        await(stores.nodes()
                .create(Node.draft(
                        state, List.of(labels), Node.Place.in("rax", "main"), Node.Machine.NONE, Instant.now())));
        await(stores.snapshots().caughtUp());
    }

    /** Everything sent so far, once that name has come, the last of a report. */
    private Map<String, String> valuesUntil(String last) throws IOException {
        Map<String, String> values = new HashMap<>();
        while (!values.containsKey(last)) {
            values.putAll(UdpReceiver.values(receiver.datagram()));
        }
        return values;
    }

    private static Configuration configuration() {
        DiskImage image = new DiskImage(
                "noble",
                List.of(),
                Map.of(),
                List.of(),
                List.of(),
                false,
                false,
                Duration.ZERO,
                Duration.ZERO,
                "",
                new ImageLogin(Optional.empty(), Optional.empty(), Optional.empty()),
                "",
                Map.of());
        return new Configuration(
                Optional.empty(),
                new Configuration.WebApp("127.0.0.1", 0),
                new Configuration.Builder(Optional.empty(), Optional.empty(), Path.of("/"), 7),
                Map.of(),
                Map.of("noble", image),
                List.of(),
                Map.of("a.b", QuotaInformation.limits(Map.of("cores", 8.0, "volume-gb", 20.0))),
                Duration.ZERO,
                new Configuration.Compat(false, false),
                List.of());
    }

    private record Fixed(Configuration configuration) implements ConfigurationSource {
        @Override
        public Optional<Configuration> current() {
            return Optional.of(configuration);
        }

        @Override
        public List<Problem> problems() {
            return List.of();
        }

        @Override
        public Subscription onChange(Runnable wake) {
            return () -> {};
        }
    }

    private static <T> T await(CompletionStage<T> stage) throws Exception {
        return stage.toCompletableFuture().get(20, TimeUnit.SECONDS);
    }
}
