package nodepool.metrics;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.TreeMap;
import nodepool.api.event.Event;
import nodepool.metrics.prometheus.Readings;
import nodepool.metrics.source.EventMetrics;
import nodepool.metrics.source.OwnBuilder;
import nodepool.metrics.source.OwnPools;
import nodepool.metrics.statsd.StatsdAddress;
import nodepool.metrics.statsd.StatsdSender;
import nodepool.testkit.RealPart;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the original daemon makes of what we send. */
class StatsdDaemonTest {

    @TempDir
    Path folder;

    @BeforeEach
    void needsStatsd() throws InterruptedException {
        RealPart.STATSD.require();
    }

    @Test
    void the_original_daemon_counts_what_we_counted() throws IOException {
        try (StatsdDaemon daemon = StatsdDaemon.start(folder);
                StatsdSender sender =
                        new StatsdSender(StatsdAddress.of(daemon.environment()).orElseThrow(), System::nanoTime)) {
            sender.start();
            Meter meter = new Meter(new Readings(), Optional.of(sender), () -> false);
            EventMetrics events = new EventMetrics(meter, Clock.systemUTC(), new OwnPools(), new OwnBuilder());
            for (int i = 0; i < 7; i++) {
                events.on(launch("ready", Duration.ofMillis(100)));
            }
            events.on(launch("error.quota", Duration.ofMillis(50)));
            events.on(new Event.LeakRemoved("rax", "instances", "i"));
            events.on(new Event.BuildEnded("noble", "b", false, OptionalInt.of(127), Duration.ofSeconds(2), Map.of()));
            meter.gauges(Catalogue.NODES, Map.of(Map.of("state", "in-use"), 5.0, Map.of("state", "ready"), 0.0));
            sender.send(List.of("last:1|c"));
            awaitCounter(daemon, "last");

            Map<String, Double> counters = new TreeMap<>(daemon.ask("counters"));
            counters.keySet().removeIf(name -> name.startsWith("statsd."));
            assertEquals(
                    new TreeMap<>(Map.of(
                            "last", 1.0,
                            "nodepool.launch.error.quota", 1.0,
                            "nodepool.launch.provider.rax.error.quota", 1.0,
                            "nodepool.launch.provider.rax.ready", 7.0,
                            "nodepool.launch.ready", 7.0,
                            "nodepool.provider.rax.leaked.instances", 1.0)),
                    counters);
            Map<String, Double> gauges = daemon.ask("gauges");
            assertEquals(5.0, gauges.get("nodepool.nodes.in-use"));
            assertEquals(0.0, gauges.get("nodepool.nodes.ready"));
            assertEquals(127.0, gauges.get("nodepool.dib_image_build.noble.status.rc"));
            String timers = daemon.said("timers").replaceAll("\\s", "");
            assertTrue(timers.contains("'nodepool.launch.ready':[100,100,100,100,100,100,100]"), timers);
            assertTrue(timers.contains("'nodepool.dib_image_build.noble.status.duration':[2000]"), timers);
            assertEquals(0.0, daemon.ask("counters").get("statsd.bad_lines_seen"));
        }
    }

    private static Event launch(String result, Duration took) {
        return new Event.LaunchEnded(
                "1", "rax", "main", "noble", Optional.empty(), Optional.empty(), Optional.empty(), result, took);
    }

    /** The daemon answers from memory; JUnit's own time-out ends a wait for what never comes. */
    private static void awaitCounter(StatsdDaemon daemon, String name) throws IOException {
        while (!daemon.ask("counters").containsKey(name)) {
            Thread.onSpinWait();
        }
    }
}
