package nodepool.metrics.statsd;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import nodepool.metrics.UdpReceiver;
import org.junit.jupiter.api.Test;

class StatsdSenderTest {

    @Test
    void values_of_one_batch_share_datagrams_of_less_than_512_bytes_and_keep_their_order() throws IOException {
        List<String> lines = IntStream.range(0, 100)
                .mapToObj(number -> Lines.gauge("nodepool.label.ubuntu-noble.nodes.building." + number, number))
                .toList();
        try (UdpReceiver receiver = new UdpReceiver();
                StatsdSender sender = started(receiver.environment())) {
            sender.send(lines);
            List<String> received = new ArrayList<>();
            int datagrams = 0;
            while (received.size() < lines.size()) {
                String datagram = receiver.datagram();
                assertTrue(datagram.getBytes(StandardCharsets.UTF_8).length < 512, datagram);
                received.addAll(List.of(datagram.split("\n")));
                datagrams++;
            }
            assertEquals(lines, received);
            assertTrue(datagrams <= 14, () -> "datagrams are not filled");
            assertEquals(0, sender.dropped());
        }
    }

    @Test
    void a_host_that_does_not_resolve_costs_the_caller_nothing_and_is_counted() throws InterruptedException {
        StatsdSender sender = started(Map.of("STATSD_HOST", "no-such-host.invalid"));
        long begun = System.nanoTime();
        for (int i = 0; i < 100_000; i++) {
            sender.send(List.of("nodepool.launch.ready:1|c"));
        }
        Duration took = Duration.ofNanos(System.nanoTime() - begun);
        sender.close();
        assertTrue(took.compareTo(Duration.ofSeconds(2)) < 0, () -> "100000 values took " + took);
        assertTrue(sender.dropped() > 90_000, () -> "dropped " + sender.dropped());
    }

    @Test
    void a_value_too_long_for_a_datagram_is_dropped_alone() throws IOException {
        try (UdpReceiver receiver = new UdpReceiver();
                StatsdSender sender = started(receiver.environment())) {
            sender.send(List.of("before:1|c", "x".repeat(600) + ":1|c", "after:1|c"));
            assertEquals(List.of("before:1|c"), receiver.linesUntil("after:1|c"));
            assertEquals(1, sender.dropped());
        }
    }

    @Test
    void what_was_given_before_the_end_is_sent() throws IOException {
        try (UdpReceiver receiver = new UdpReceiver()) {
            StatsdSender sender = started(receiver.environment());
            sender.send(List.of("last:1|c"));
            sender.close();
            assertEquals(List.of(), receiver.linesUntil("last:1|c"));
        }
    }

    @Test
    void the_environment_says_where_to() {
        assertEquals(Optional.empty(), StatsdAddress.of(Map.of()));
        assertEquals(
                Optional.of(new StatsdAddress("stats", 8125, "")), StatsdAddress.of(Map.of("STATSD_HOST", "stats")));
        assertEquals(
                Optional.of(new StatsdAddress("localhost", 9, "ci.")),
                StatsdAddress.of(Map.of("STATSD_PORT", "9", "STATSD_PREFIX", "ci")));
        assertThrows(IllegalArgumentException.class, () -> StatsdAddress.of(Map.of("STATSD_PORT", "many")));
        assertThrows(IllegalArgumentException.class, () -> StatsdAddress.of(Map.of("STATSD_PORT", "70000")));
    }

    @Test
    void values_are_written_as_statsd_reads_them() {
        assertEquals("a:3|c", Lines.counter("a", 3));
        assertEquals("a:123.000000|ms", Lines.timer("a", Duration.ofMillis(123)));
        assertEquals("a:0.000000|ms", Lines.timer("a", Duration.ofMillis(-5)));
        assertEquals("a:1|g", Lines.gauge("a", 1));
        assertEquals("a:0.5|g", Lines.gauge("a", 0.5));
        assertEquals("a:0|g\na:-2|g", Lines.gauge("a", -2));
        assertEquals("a_b_c:1|c", Lines.counter("a:b|c", 1));
    }

    private static StatsdSender started(Map<String, String> environment) {
        StatsdSender sender = new StatsdSender(StatsdAddress.of(environment).orElseThrow(), System::nanoTime);
        sender.start();
        return sender;
    }
}
