package nodepool.metrics.prometheus;

import java.util.Comparator;
import java.util.List;
import java.util.Map;
import nodepool.metrics.Metric;

/** Writes readings as Prometheus reads them: text format 0.0.4. */
public final class Exposition {

    private final List<Metric> metrics;
    private final Readings readings;

    /** @param metrics what is written, in this order */
    public Exposition(List<Metric> metrics, Readings readings) {
        this.metrics = List.copyOf(metrics);
        this.readings = readings;
    }

    /** Everything there is now. Never blocks. */
    public String text() {
        StringBuilder out = new StringBuilder(8192);
        for (Metric metric : metrics) {
            Map<List<String>, Readings.Cell> cells = readings.read(metric);
            out.append("# HELP ").append(metric.name()).append(' ');
            escape(out, metric.meaning(), false);
            out.append("\n# TYPE ").append(metric.name()).append(' ').append(type(metric.kind()));
            out.append('\n');
            cells.entrySet().stream()
                    .sorted(Map.Entry.comparingByKey(Comparator.comparing(values -> String.join("\u0000", values))))
                    .forEach(entry -> write(out, metric, entry.getKey(), entry.getValue()));
        }
        return out.toString();
    }

    private static String type(Metric.Kind kind) {
        return switch (kind) {
            case COUNTER -> "counter";
            case GAUGE -> "gauge";
            case SHORT_TIME, LONG_TIME, LONG_TIME_UNCOUNTED -> "histogram";
        };
    }

    private static void write(StringBuilder out, Metric metric, List<String> values, Readings.Cell cell) {
        if (cell instanceof Readings.Cell.Amount amount) {
            sample(out, metric, "", values, "", amount.sum().sum());
        } else if (cell instanceof Readings.Cell.Times times) {
            long count = 0;
            for (Distribution.Bucket bucket : times.distribution().buckets()) {
                sample(out, metric, "_bucket", values, number(bucket.bound()), (double) bucket.cumulated());
                count = bucket.cumulated();
            }
            sample(out, metric, "_sum", values, "", times.distribution().sum());
            sample(out, metric, "_count", values, "", (double) count);
        }
    }

    /** @param bound of a bucket; empty for other samples */
    private static void sample(
            StringBuilder out, Metric metric, String suffix, List<String> values, String bound, double value) {
        out.append(metric.name()).append(suffix);
        char separator = '{';
        for (int at = 0; at < values.size(); at++) {
            out.append(separator).append(metric.labels().get(at)).append("=\"");
            escape(out, values.get(at), true);
            out.append('"');
            separator = ',';
        }
        if (!bound.isEmpty()) {
            out.append(separator).append("le=\"").append(bound).append('"');
            separator = ',';
        }
        out.append(separator == '{' ? " " : "} ").append(number(value)).append('\n');
    }

    private static String number(double value) {
        if (Double.isInfinite(value)) {
            return value > 0 ? "+Inf" : "-Inf";
        }
        return value == Math.rint(value) && Math.abs(value) < 1e15
                ? Long.toString((long) value)
                : Double.toString(value);
    }

    private static void escape(StringBuilder out, String text, boolean quoted) {
        for (int at = 0; at < text.length(); at++) {
            char letter = text.charAt(at);
            switch (letter) {
                case '\\' -> out.append("\\\\");
                case '\n' -> out.append("\\n");
                case '"' -> out.append(quoted ? "\\\"" : "\"");
                default -> out.append(letter);
            }
        }
    }
}
