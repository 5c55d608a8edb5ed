package nodepool.launcher;

import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Predicate;

/**
 * How long to wait after each failure of something: twice as long after each, up to a limit. A failure long after the wait
 * for the one before counts as the first. Confined to one loop.
 */
final class BackOff {

    private record Failure(Instant notBefore, Duration pause) {}

    private final Duration first;
    private final Duration longest;
    private final Map<String, Failure> failures = new HashMap<>();

    BackOff(Duration first, Duration longest) {
        this.first = first;
        this.longest = longest;
    }

    /** It failed; returns how long not to try it again. */
    Duration failed(String what, Instant now) {
        Failure before = failures.get(what);
        Duration pause = before == null || before.notBefore().plus(longest).isBefore(now)
                ? first
                : before.pause().multipliedBy(2);
        if (pause.compareTo(longest) > 0) {
            pause = longest;
        }
        failures.put(what, new Failure(now.plus(pause), pause));
        return pause;
    }

    /** Whether it may be tried. */
    boolean isDue(String what, Instant now) {
        Failure failure = failures.get(what);
        return failure == null || !failure.notBefore().isAfter(now);
    }

    /** It went well: the next failure counts as the first. */
    void forget(String what) {
        failures.remove(what);
    }

    void forgetIf(Predicate<String> over) {
        failures.keySet().removeIf(over);
    }
}
