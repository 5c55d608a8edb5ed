package nodepool.builder.decision;

import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * When to try again what has failed: soon at first, then less and less often. A change of circumstances ends the wait. Not
 * thread-safe.
 *
 * @param <K> what is tried
 */
public final class Retries<K> {

    private record Failure(int times, Object circumstances, Instant notBefore) {}

    private final List<Duration> waits;
    private final Map<K, Failure> failures = new HashMap<>();

    /** @param waits after the first failure in a row, the second and so on; the last one repeats */
    public Retries(List<Duration> waits) {
        this.waits = List.copyOf(waits);
    }

    /** After a failed build: 10 s, then minutes, at most an hour. */
    public static <K> Retries<K> ofBuilds() {
        return new Retries<>(List.of(
                Duration.ofSeconds(10),
                Duration.ofMinutes(1),
                Duration.ofMinutes(2),
                Duration.ofMinutes(5),
                Duration.ofMinutes(10),
                Duration.ofMinutes(30),
                Duration.ofHours(1)));
    }

    /** After a failed upload or deletion: 10 s, then minutes, at most half an hour. */
    public static <K> Retries<K> ofUploads() {
        return new Retries<>(List.of(
                Duration.ofSeconds(10),
                Duration.ofSeconds(30),
                Duration.ofMinutes(1),
                Duration.ofMinutes(5),
                Duration.ofMinutes(10),
                Duration.ofMinutes(30)));
    }

    /** Until when to wait; absent if it may be tried now. */
    public Optional<Instant> notBefore(K key, Object circumstances, Instant now) {
        return Optional.ofNullable(failures.get(key))
                .filter(failure -> failure.circumstances.equals(circumstances))
                .map(Failure::notBefore)
                .filter(due -> due.isAfter(now));
    }

    /** It has failed: how long to wait. */
    public Duration failed(K key, Object circumstances, Instant now) {
        int before = Optional.ofNullable(failures.get(key))
                .filter(failure -> failure.circumstances.equals(circumstances))
                .map(Failure::times)
                .orElse(0);
        Duration wait = waits.get(Math.min(before, waits.size() - 1));
        failures.put(key, new Failure(before + 1, circumstances, now.plus(wait)));
        return wait;
    }

    /** It has worked, or nobody wants it any more. */
    public void forget(K key) {
        failures.remove(key);
    }
}
