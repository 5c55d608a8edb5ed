package nodepool.metrics.prometheus;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import nodepool.metrics.Catalogue;
import nodepool.metrics.Metric;
import org.junit.jupiter.api.Test;

class ExpositionTest {

    private final Readings readings = new Readings();

    @Test
    void counters_and_gauges_carry_their_labels_escaped() {
        readings.add(Catalogue.LEAKED, Map.of("provider", "a\"b\\c\nd", "kind", "ports"), 2);
        readings.add(Catalogue.LEAKED, Map.of("provider", "a\"b\\c\nd", "kind", "ports"), 1);
        readings.set(Catalogue.IMAGE_BUILD_REQUESTS, Map.of(), 4);
        assertEquals(
                "nodepool_leaked_total{provider=\"a\\\"b\\\\c\\nd\",kind=\"ports\"} 3",
                samples(Catalogue.LEAKED).get(0));
        assertEquals(
                "nodepool_image_build_requests 4",
                samples(Catalogue.IMAGE_BUILD_REQUESTS).get(0));
    }

    @Test
    void lengths_of_time_are_histograms_whose_buckets_add_up() {
        Map<String, String> fields = Map.of("provider", "east", "pool", "main");
        readings.observe(Catalogue.POOL_PASS, fields, Duration.ofMillis(2));
        readings.observe(Catalogue.POOL_PASS, fields, Duration.ofMillis(700));
        readings.observe(Catalogue.POOL_PASS, fields, Duration.ofHours(1));
        List<String> samples = samples(Catalogue.POOL_PASS);
        String labels = "{provider=\"east\",pool=\"main\"";
        assertTrue(
                samples.contains("nodepool_pool_pass_seconds_bucket" + labels + ",le=\"0.001\"} 0"), samples::toString);
        assertTrue(
                samples.contains("nodepool_pool_pass_seconds_bucket" + labels + ",le=\"0.0025\"} 1"),
                samples::toString);
        assertTrue(samples.contains("nodepool_pool_pass_seconds_bucket" + labels + ",le=\"1\"} 2"), samples::toString);
        assertTrue(
                samples.contains("nodepool_pool_pass_seconds_bucket" + labels + ",le=\"+Inf\"} 3"), samples::toString);
        assertTrue(samples.contains("nodepool_pool_pass_seconds_count" + labels + "} 3"), samples::toString);
        assertTrue(samples.contains("nodepool_pool_pass_seconds_sum" + labels + "} 3600.702"), samples::toString);
    }

    @Test
    void what_is_replaced_is_gone() {
        readings.replace(Catalogue.NODES, Map.of(Map.of("state", "ready"), 1.0, Map.of("state", "hold"), 2.0));
        readings.replace(Catalogue.NODES, Map.of(Map.of("state", "ready"), 3.0));
        assertEquals(List.of("nodepool_nodes{state=\"ready\"} 3"), samples(Catalogue.NODES));
    }

    @Test
    void a_metric_without_values_is_declared_all_the_same() {
        assertEquals("""
                # HELP nodepool_leaked_total Removed because they carried our mark and no record knew them.
                # TYPE nodepool_leaked_total counter
                """, new Exposition(List.of(Catalogue.LEAKED), readings).text());
    }

    private List<String> samples(Metric metric) {
        return new Exposition(List.of(metric), readings)
                .text()
                .lines()
                .filter(line -> !line.startsWith("#"))
                .toList();
    }
}
