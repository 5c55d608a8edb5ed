package nodepool.metrics.prometheus;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.DoubleAdder;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.DoubleStream;
import java.util.stream.Stream;
import nodepool.metrics.Metric;

/** How many lengths of time fell below each of some bounds. Thread-safe. */
final class Distribution {

    private static final List<Double> SHORT =
            bounds(0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60);
    private static final List<Double> LONG =
            bounds(0.5, 1, 2.5, 5, 10, 20, 30, 60, 120, 300, 600, 1200, 1800, 3600, 7200, 14400, 43200, 86400);

    private final List<Double> bounds;
    private final List<LongAdder> counts;
    private final DoubleAdder sum = new DoubleAdder();

    Distribution(Metric.Kind kind) {
        this.bounds = kind == Metric.Kind.SHORT_TIME ? SHORT : LONG;
        this.counts = Stream.generate(LongAdder::new).limit(bounds.size() + 1L).toList();
    }

    /** Of a bucket: how many values lie at or below its bound; infinite for the last one. */
    record Bucket(double bound, long cumulated) {}

    /** A clock that was set back makes negative lengths, which count as 0. */
    void add(Duration length) {
        double seconds = Math.max(0, length.toNanos() / 1e9);
        int at = 0;
        while (at < bounds.size() && seconds > bounds.get(at)) {
            at++;
        }
        counts.get(at).increment();
        sum.add(seconds);
    }

    /** Seconds altogether. */
    double sum() {
        return sum.sum();
    }

    List<Bucket> buckets() {
        long[] cumulated = counts.stream().mapToLong(LongAdder::sum).toArray();
        Arrays.parallelPrefix(cumulated, Long::sum);
        List<Bucket> result = new java.util.ArrayList<>();
        for (int at = 0; at < cumulated.length; at++) {
            double bound = at < bounds.size() ? bounds.get(at) : Double.POSITIVE_INFINITY;
            result.add(new Bucket(bound, cumulated[at]));
        }
        return result;
    }

    private static List<Double> bounds(double... seconds) {
        return DoubleStream.of(seconds).boxed().toList();
    }
}
