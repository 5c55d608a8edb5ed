package nodepool.metrics;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import nodepool.api.event.Event;
import nodepool.api.verdict.Reason;
import nodepool.api.verdict.Verdict;
import nodepool.metrics.prometheus.Exposition;
import nodepool.metrics.prometheus.Readings;
import nodepool.metrics.source.EventMetrics;
import nodepool.metrics.source.OwnBuilder;
import nodepool.metrics.source.OwnPools;
import nodepool.metrics.statsd.StatsdAddress;
import nodepool.metrics.statsd.StatsdSender;
import nodepool.testkit.ManualClock;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** From events to what arrives at statsd's port and at a scrape. */
class MeterTest {

    private final ManualClock clock = new ManualClock(Instant.ofEpochSecond(1_700_000_000));
    private final Readings readings = new Readings();
    private UdpReceiver receiver;
    private StatsdSender sender;
    private Meter meter;
    private EventMetrics events;

    @BeforeEach
    void open() throws IOException {
        receiver = new UdpReceiver();
        sender = new StatsdSender(StatsdAddress.of(receiver.environment()).orElseThrow(), System::nanoTime);
        sender.start();
        meter = new Meter(readings, Optional.of(sender), () -> false);
        events = new EventMetrics(meter, clock, new OwnPools(), new OwnBuilder());
    }

    @AfterEach
    void close() {
        sender.close();
        receiver.close();
    }

    @Test
    void a_launch_is_timed_and_counted_under_five_names() throws IOException {
        events.on(new Event.LaunchEnded(
                "0000000001",
                "rax",
                "main",
                "noble",
                Optional.of("az1"),
                Optional.of("ubuntu-noble"),
                Optional.of("NodePool:min-ready"),
                "error.quota",
                Duration.ofMillis(1500)));
        assertEquals(
                List.of(
                        "nodepool.launch.provider.rax.error.quota:1500.000000|ms",
                        "nodepool.launch.provider.rax.error.quota:1|c",
                        "nodepool.launch.error.quota:1500.000000|ms",
                        "nodepool.launch.error.quota:1|c",
                        "nodepool.launch.provider.rax.az1.error.quota:1500.000000|ms",
                        "nodepool.launch.provider.rax.az1.error.quota:1|c",
                        "nodepool.launch.requestor.NodePool_min-ready.error.quota:1500.000000|ms",
                        "nodepool.launch.requestor.NodePool_min-ready.error.quota:1|c",
                        "nodepool.launch.image.ubuntu-noble.error.quota:1500.000000|ms",
                        "nodepool.launch.image.ubuntu-noble.error.quota:1|c"),
                received());
    }

    @Test
    void a_launch_of_which_little_is_known_has_the_names_it_can_have() throws IOException {
        events.on(new Event.LaunchEnded(
                "1",
                "rax",
                "main",
                "noble",
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                "ready",
                Duration.ofSeconds(2)));
        assertEquals(
                List.of(
                        "nodepool.launch.provider.rax.ready:2000.000000|ms",
                        "nodepool.launch.provider.rax.ready:1|c",
                        "nodepool.launch.ready:2000.000000|ms",
                        "nodepool.launch.ready:1|c"),
                received());
    }

    @Test
    void removed_leaks_are_counted_and_ports_under_their_early_name_too() throws IOException {
        events.on(new Event.LeakRemoved("rax", "instances", "i-1"));
        events.on(new Event.LeakRemoved("rax", "ports", "p-1"));
        assertEquals(
                List.of(
                        "nodepool.provider.rax.leaked.instances:1|c",
                        "nodepool.provider.rax.leaked.ports:1|c",
                        "nodepool.provider.rax.downPorts:1|c"),
                received());
    }

    @Test
    void a_build_tells_its_status_length_time_and_sizes() throws IOException {
        events.on(new Event.BuildEnded(
                "noble", "b1", true, OptionalInt.of(0), Duration.ofMinutes(1), Map.of("qcow2", 4096L)));
        events.on(new Event.UploadEnded("noble", "b1", "rax", "u1", true, Duration.ofSeconds(3)));
        events.on(new Event.UploadEnded("noble", "b1", "rax", "u2", false, Duration.ofSeconds(3)));
        assertEquals(
                List.of(
                        "nodepool.dib_image_build.noble.status.rc:0|g",
                        "nodepool.dib_image_build.noble.status.duration:60000.000000|ms",
                        "nodepool.dib_image_build.noble.status.last_build:1700000000|g",
                        "nodepool.dib_image_build.noble.qcow2.size:4096|g",
                        "nodepool.image_update.noble.rax:3000.000000|ms",
                        "nodepool.image_update.noble.rax:1|c"),
                received());
    }

    @Test
    void calls_of_openstack_carry_the_names_of_the_operation_guide() throws IOException {
        events.on(new Event.ApiCalled("rax", "compute", "GET", "servers", OptionalInt.of(200), Duration.ofMillis(7)));
        events.on(new Event.ApiCalled(
                "rax", "compute", "POST", "os-volumes_boot", OptionalInt.empty(), Duration.ofMillis(8)));
        assertEquals(
                List.of(
                        "nodepool.task.rax.ComputeGetServers:7.000000|ms",
                        "nodepool.task.rax.ComputeGetServers:1|c",
                        "nodepool.task.rax.ComputePostOsVolumesBoot:8.000000|ms",
                        "nodepool.task.rax.ComputePostOsVolumesBoot:1|c"),
                received());
    }

    @Test
    void answers_are_counted_by_code_for_prometheus_only() throws IOException {
        events.on(new Event.Judged(
                "1",
                "rax",
                "main",
                new Verdict.Defer(Reason.of(Reason.Code.QUOTA_FULL, "instances: asked 1, 0 free"))));
        assertEquals(List.of(), received());
        assertEquals(
                "nodepool_verdicts_total{provider=\"rax\",pool=\"main\",answer=\"defer\",code=\"QUOTA_FULL\"} 1",
                new Exposition(List.of(Catalogue.VERDICTS), readings)
                        .text()
                        .lines()
                        .skip(2)
                        .findFirst()
                        .orElseThrow());
    }

    @Test
    void gauges_that_vanish_are_sent_as_zero_once() throws IOException {
        Map<String, String> east = Map.of("provider", "east", "state", "ready");
        meter.gauges(Catalogue.PROVIDER_NODES, Map.of(east, 3.0));
        meter.gauges(Catalogue.PROVIDER_NODES, Map.of());
        meter.gauges(Catalogue.PROVIDER_NODES, Map.of());
        assertEquals(
                List.of("nodepool.provider.east.nodes.ready:3|g", "nodepool.provider.east.nodes.ready:0|g"),
                received());
    }

    @Test
    void an_infinite_gauge_is_not_sent() throws IOException {
        meter.gauges(Catalogue.MAX_SERVERS, Map.of(Map.of("provider", "east"), Double.POSITIVE_INFINITY));
        meter.gauge(Catalogue.MAX_SERVERS, Double.POSITIVE_INFINITY, Map.of("provider", "east"));
        assertEquals(List.of(), received());
    }

    @Test
    void a_value_of_another_kind_than_declared_is_refused() {
        assertThrows(IllegalArgumentException.class, () -> meter.count(Catalogue.NODES, 1, Map.of()));
        assertThrows(IllegalArgumentException.class, () -> meter.gauge(Catalogue.LAUNCH, 1, Map.of()));
        assertThrows(IllegalArgumentException.class, () -> meter.time(Catalogue.LEAKED, Duration.ZERO, Map.of()));
    }

    private List<String> received() throws IOException {
        sender.send(List.of("end:1|c"));
        return receiver.linesUntil("end:1|c");
    }
}
