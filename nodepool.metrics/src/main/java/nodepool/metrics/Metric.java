package nodepool.metrics;

import java.util.ArrayList;
import java.util.List;
import nodepool.metrics.statsd.NameTemplate;

/**
 * The declaration of one thing that is measured.
 *
 * @param name for Prometheus; with the unit and, for counters, {@code _total} at its end
 * @param kind what its values are
 * @param unit of a value in statsd
 * @param meaning in one sentence, with the moment it is measured
 * @param labels for Prometheus: names of fields that a value carries
 * @param templates of the names under which it is sent to statsd; none: it is for Prometheus only
 */
public record Metric(
        String name, Kind kind, String unit, String meaning, List<String> labels, List<NameTemplate> templates) {

    /** What the values are, and how each way out puts them. */
    public enum Kind {
        /** Grows. statsd: {@code c}. */
        COUNTER,
        /** Stands at a value. statsd: {@code g}. */
        GAUGE,
        /** Lengths of something that takes milliseconds to seconds. statsd: {@code ms}, and {@code c} under the same name. */
        SHORT_TIME,
        /** Lengths of something that takes seconds to hours. statsd: {@code ms}, and {@code c} under the same name. */
        LONG_TIME,
        /** The same, without a counter in statsd. */
        LONG_TIME_UNCOUNTED;

        /** Whether the values are lengths of time. */
        public boolean isTime() {
            return this == SHORT_TIME || this == LONG_TIME || this == LONG_TIME_UNCOUNTED;
        }
    }

    public Metric {
        labels = List.copyOf(labels);
        templates = List.copyOf(templates);
    }

    static Metric counter(String name, String unit, String meaning) {
        return new Metric(name, Kind.COUNTER, unit, meaning, List.of(), List.of());
    }

    static Metric gauge(String name, String unit, String meaning) {
        return new Metric(name, Kind.GAUGE, unit, meaning, List.of(), List.of());
    }

    static Metric time(Kind kind, String name, String meaning) {
        return new Metric(name, kind, "ms", meaning, List.of(), List.of());
    }

    /** With these labels. */
    Metric by(String... names) {
        return new Metric(name, kind, unit, meaning, List.of(names), templates);
    }

    /** Sent to statsd under these names as well; parts in angle brackets are fields. */
    Metric sentAs(String... names) {
        List<NameTemplate> all = new ArrayList<>(templates);
        for (String text : names) {
            all.add(NameTemplate.parse(text));
        }
        return new Metric(name, kind, unit, meaning, labels, all);
    }
}
