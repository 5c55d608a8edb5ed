package nodepool.metrics;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The declarations against the documents. {@code -Dnodepool.write-docs=true} writes the document anew. */
class CatalogueTest {

    private static final Path DOCUMENT = Path.of("..", "docs", "metrics.md");
    private static final String BEGIN = "<!-- made from Catalogue.java by CatalogueTest -->\n";

    @Test
    void the_document_lists_every_metric_as_it_is_declared() throws IOException {
        String document = Files.readString(DOCUMENT);
        int begin = document.indexOf(BEGIN) + BEGIN.length();
        assertTrue(begin >= BEGIN.length(), "no place for the list in " + DOCUMENT);
        if (Boolean.getBoolean("nodepool.write-docs")) {
            document = document.substring(0, begin) + list();
            Files.writeString(DOCUMENT, document);
        }
        assertEquals(list(), document.substring(begin));
    }

    @Test
    void every_declared_metric_is_in_the_list_once() throws IllegalAccessException {
        List<String> declared = new java.util.ArrayList<>();
        for (java.lang.reflect.Field field : Catalogue.class.getFields()) {
            if (field.getType() == Metric.class) {
                declared.add(((Metric) field.get(null)).name());
            }
        }
        assertEquals(declared, Catalogue.ALL.stream().map(Metric::name).toList());
        assertEquals(declared.size(), declared.stream().distinct().count());
    }

    @Test
    void names_follow_the_conventions_of_prometheus() {
        for (Metric metric : Catalogue.ALL) {
            assertTrue(metric.name().matches("nodepool_[a-z_]+"), metric.name());
            assertEquals(metric.kind() == Metric.Kind.COUNTER, metric.name().endsWith("_total"), metric.name());
            assertTrue(!metric.kind().isTime() || metric.name().endsWith("_seconds"), metric.name());
        }
    }

    private static String list() {
        StringBuilder text = new StringBuilder();
        for (Metric metric : Catalogue.ALL) {
            text.append("\n## ").append(metric.name()).append("\n\n").append(metric.meaning());
            text.append("\n\n* Prometheus: ").append(kind(metric));
            if (!metric.labels().isEmpty()) {
                text.append(" by `")
                        .append(String.join("`, `", metric.labels()))
                        .append('`');
            }
            text.append('\n');
            metric.templates()
                    .forEach(name ->
                            text.append("* statsd: `%s` (%s, %s)\n".formatted(name, statsd(metric), metric.unit())));
        }
        return text.toString();
    }

    private static String kind(Metric metric) {
        return metric.kind().isTime()
                ? "histogram, seconds"
                : metric.kind().name().toLowerCase(java.util.Locale.ROOT);
    }

    private static String statsd(Metric metric) {
        return switch (metric.kind()) {
            case COUNTER -> "counter";
            case GAUGE -> "gauge";
            case SHORT_TIME, LONG_TIME -> "timer and counter";
            case LONG_TIME_UNCOUNTED -> "timer";
        };
    }
}
