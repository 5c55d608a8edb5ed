package nodepool.metrics;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import nodepool.testkit.Ended;
import nodepool.testkit.RealPart;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is shipped for Prometheus and Grafana, against the declarations and against Prometheus itself. */
class AlertsAndDashboardTest {

    private static final Path ETC = Path.of("..", "nodepool.dist", "src", "main", "etc");
    private static final Pattern NAME = Pattern.compile("\\bnodepool_[a-z_]+\\b");

    @ParameterizedTest
    @ValueSource(strings = {"prometheus-alerts.yaml", "grafana-dashboard.json"})
    void every_name_in_it_is_a_declared_metric(String file) throws IOException {
        Set<String> declared = Catalogue.ALL.stream()
                .flatMap(metric -> metric.kind().isTime()
                        ? java.util.stream.Stream.of("_bucket", "_count", "_sum")
                                .map(metric.name()::concat)
                        : java.util.stream.Stream.of(metric.name()))
                .collect(Collectors.toSet());
        Set<String> used = new TreeSet<>();
        Matcher name = NAME.matcher(Files.readString(ETC.resolve(file)));
        while (name.find()) {
            used.add(name.group());
        }
        assertTrue(used.size() > 5, used::toString);
        used.removeAll(declared);
        assertEquals(Set.of(), used);
    }

    @Test
    void prometheus_reads_the_alerts_and_raises_them_when_it_should() throws Exception {
        RealPart.PROMETHEUS.require();
        Ended checked = Ended.of(
                java.util.Map.of(),
                "promtool",
                "check",
                "rules",
                ETC.resolve("prometheus-alerts.yaml").toString());
        assertEquals(0, checked.code(), checked::toString);
        Ended tested =
                Ended.of(java.util.Map.of(), "promtool", "test", "rules", "src/test/prometheus/alerts-test.yaml");
        assertEquals(0, tested.code(), tested::toString);
    }
}
