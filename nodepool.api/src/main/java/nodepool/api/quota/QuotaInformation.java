package nodepool.api.quota;

import java.util.Collections;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Amounts by resource name. Units: {@code instances} and {@code cores} are counts, {@code ram} is MiB, {@code volumes} a
 * count, {@code volume-gb} GB; drivers may add names of their own. Written to node records as they are, where Zuul sums
 * them, so names and units are part of the wire contract.
 *
 * @param amounts by name; for limits, infinity means unlimited
 * @param absent the amount of every name not in {@code amounts}: 0 for what is used or needed, infinity for limits
 */
public record QuotaInformation(Map<String, Double> amounts, double absent) {

    public static final String INSTANCES = "instances";
    public static final String CORES = "cores";
    public static final String RAM = "ram";
    public static final String VOLUMES = "volumes";
    public static final String VOLUME_GB = "volume-gb";

    /** Uses nothing. */
    public static final QuotaInformation NOTHING = new QuotaInformation(Map.of(), 0);

    /** Limits nothing. */
    public static final QuotaInformation UNLIMITED = new QuotaInformation(Map.of(), Double.POSITIVE_INFINITY);

    public QuotaInformation {
        amounts = Collections.unmodifiableMap(new TreeMap<>(amounts));
    }

    /** What one machine or a set of machines uses or needs. */
    public static QuotaInformation needs(Map<String, Double> amounts) {
        return new QuotaInformation(amounts, 0);
    }

    /** The three amounts every driver knows. */
    public static QuotaInformation needs(int cores, int instances, int ramMib) {
        return needs(Map.of(CORES, (double) cores, INSTANCES, (double) instances, RAM, (double) ramMib));
    }

    /** What is allowed; a name that is missing is unlimited. */
    public static QuotaInformation limits(Map<String, Double> amounts) {
        return new QuotaInformation(amounts, Double.POSITIVE_INFINITY);
    }

    /** The amount of that resource. */
    public double of(String resource) {
        return amounts.getOrDefault(resource, absent);
    }

    /** Name by name sum; a name only one side has counts with the other side's {@link #absent}. */
    public QuotaInformation plus(QuotaInformation other) {
        return combined(other, 1);
    }

    /** Name by name difference. */
    public QuotaInformation minus(QuotaInformation other) {
        return combined(other, -1);
    }

    /** The smaller amount of each name. */
    public QuotaInformation smallerOf(QuotaInformation other) {
        Map<String, Double> result = new TreeMap<>(amounts);
        other.amounts.forEach((name, amount) -> result.put(name, Math.min(of(name), amount)));
        amounts.forEach((name, amount) -> result.put(name, Math.min(amount, other.of(name))));
        return new QuotaInformation(result, Math.min(absent, other.absent));
    }

    /** The first resource of which less than nothing would be left; absent means it fits. Exactly 0 left fits. */
    public Optional<String> exceeded() {
        return amounts.entrySet().stream()
                .filter(entry -> entry.getValue() < 0)
                .map(Map.Entry::getKey)
                .findFirst();
    }

    private QuotaInformation combined(QuotaInformation other, int sign) {
        Map<String, Double> result = new TreeMap<>(amounts);
        other.amounts.forEach((name, amount) -> result.put(name, of(name) + sign * amount));
        amounts.forEach((name, amount) -> result.put(name, amount + sign * other.of(name)));
        return new QuotaInformation(result, absent);
    }
}
