package nodepool.metrics;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import nodepool.metrics.Metric.Kind;
import nodepool.metrics.prometheus.Readings;
import nodepool.metrics.statsd.Lines;
import nodepool.metrics.statsd.NameTemplate;
import nodepool.metrics.statsd.StatsdSender;

/**
 * Takes values, keeps them for Prometheus, and sends them to statsd if there is one. Nothing here waits. Thread-safe.
 *
 * <p>Every value comes with its fields by name; a name for statsd that needs a field which is not there is left out.
 */
public final class Meter {

    private final Readings readings;
    private final Optional<StatsdSender> statsd;
    private final BooleanSupplier escapeDots;
    private final Map<Metric, Set<String>> gaugesSent = new ConcurrentHashMap<>();

    /** @param escapeDots whether dots and colons in fields become underscores in statsd */
    public Meter(Readings readings, Optional<StatsdSender> statsd, BooleanSupplier escapeDots) {
        this.readings = readings;
        this.statsd = statsd;
        this.escapeDots = escapeDots;
    }

    /** So many more. */
    public void count(Metric metric, long count, Map<String, String> fields) {
        require(metric, metric.kind() == Kind.COUNTER);
        readings.add(metric, fields, (double) count);
        send(metric, fields, name -> List.of(Lines.counter(name, count)));
    }

    /** It took so long this time. */
    public void time(Metric metric, Duration length, Map<String, String> fields) {
        require(metric, metric.kind().isTime());
        readings.observe(metric, fields, length);
        boolean counted = metric.kind() != Kind.LONG_TIME_UNCOUNTED;
        send(
                metric,
                fields,
                name -> counted
                        ? List.of(Lines.timer(name, length), Lines.counter(name, 1))
                        : List.of(Lines.timer(name, length)));
    }

    /** It stands at this value; others of the same metric stay. */
    public void gauge(Metric metric, double value, Map<String, String> fields) {
        require(metric, metric.kind() == Kind.GAUGE);
        readings.set(metric, fields, value);
        if (Double.isFinite(value)) {
            send(metric, fields, name -> List.of(Lines.gauge(name, value)));
        }
    }

    /**
     * These are all values there are now. What was there before and is not any more is sent to statsd as 0 once. Called by one
     * thread for one metric.
     */
    public void gauges(Metric metric, Map<Map<String, String>, Double> values) {
        require(metric, metric.kind() == Kind.GAUGE);
        readings.replace(metric, values);
        statsd.ifPresent(sender -> sendAll(sender, metric, values));
    }

    private void sendAll(StatsdSender sender, Metric metric, Map<Map<String, String>, Double> values) {
        List<String> lines = new ArrayList<>();
        Set<String> names = new HashSet<>();
        values.forEach((fields, value) -> {
            if (Double.isFinite(value)) {
                for (String name : names(sender, metric, fields)) {
                    names.add(name);
                    lines.add(Lines.gauge(name, value));
                }
            }
        });
        Optional<Set<String>> before = Optional.ofNullable(gaugesSent.put(metric, names));
        before.ifPresent(old ->
                old.stream().filter(name -> !names.contains(name)).forEach(name -> lines.add(Lines.gauge(name, 0))));
        sender.send(lines);
    }

    private void send(Metric metric, Map<String, String> fields, Function<String, List<String>> lines) {
        statsd.ifPresent(sender -> sender.send(names(sender, metric, fields).stream()
                .flatMap(name -> lines.apply(name).stream())
                .toList()));
    }

    private List<String> names(StatsdSender sender, Metric metric, Map<String, String> fields) {
        List<String> names = new ArrayList<>(metric.templates().size());
        boolean escape = escapeDots.getAsBoolean();
        for (NameTemplate template : metric.templates()) {
            template.name(fields, escape).ifPresent(name -> names.add(sender.prefix() + name));
        }
        return names;
    }

    private static void require(Metric metric, boolean suits) {
        if (!suits) {
            throw new IllegalArgumentException(metric.name() + " is declared as " + metric.kind());
        }
    }
}
