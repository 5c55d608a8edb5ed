package nodepool.metrics.prometheus;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.DoubleAdder;
import nodepool.metrics.Metric;

/** The values of every metric since the start, by the values of its labels. Thread-safe. */
public final class Readings {

    private final Map<Metric, Map<List<String>, Cell>> series = new ConcurrentHashMap<>();

    /** One value, or the distribution of many. */
    sealed interface Cell {

        /** A counter or a gauge. */
        record Amount(DoubleAdder sum) implements Cell {}

        /** Lengths of time. */
        record Times(Distribution distribution) implements Cell {}
    }

    /** So many more. */
    public void add(Metric metric, Map<String, String> fields, double more) {
        Cell cell = of(metric).computeIfAbsent(labels(metric, fields), key -> new Cell.Amount(new DoubleAdder()));
        if (cell instanceof Cell.Amount amount) {
            amount.sum().add(more);
        }
    }

    /** It stands at this value. */
    public void set(Metric metric, Map<String, String> fields, double value) {
        of(metric).put(labels(metric, fields), standing(value));
    }

    /** These are all values there are. */
    public void replace(Metric metric, Map<Map<String, String>, Double> values) {
        Map<List<String>, Cell> fresh = new HashMap<>();
        values.forEach((fields, value) -> fresh.put(labels(metric, fields), standing(value)));
        series.put(metric, new ConcurrentHashMap<>(fresh));
    }

    /** It took so long this time. */
    public void observe(Metric metric, Map<String, String> fields, Duration length) {
        Cell cell = of(metric)
                .computeIfAbsent(labels(metric, fields), key -> new Cell.Times(new Distribution(metric.kind())));
        if (cell instanceof Cell.Times times) {
            times.distribution().add(length);
        }
    }

    /** What there is of that metric now. */
    Map<List<String>, Cell> read(Metric metric) {
        return series.getOrDefault(metric, Map.of());
    }

    private Map<List<String>, Cell> of(Metric metric) {
        return series.computeIfAbsent(metric, key -> new ConcurrentHashMap<>());
    }

    private static List<String> labels(Metric metric, Map<String, String> fields) {
        return metric.labels().stream()
                .map(label -> fields.getOrDefault(label, ""))
                .toList();
    }

    private static Cell standing(double value) {
        DoubleAdder cell = new DoubleAdder();
        cell.add(value);
        return new Cell.Amount(cell);
    }
}
