package nodepool.driver.openstack.http;

import java.time.Duration;
import java.util.Optional;
import nodepool.driver.openstack.clouds.CloudSettings.Endpoint;

/** Whether a call is sent again, and after which pause. A function of its arguments. */
final class Retries {

    /** The longest a service can make us wait. */
    static final Duration LONGEST_PAUSE = Duration.ofMinutes(1);

    private static final Duration FIRST_PAUSE = Duration.ofMillis(500);
    private static final int REFUSALS = 5;

    private Retries() {}

    /**
     * The pause before the next try; absent: there is none.
     *
     * @param tries made so far, at least 1
     */
    static Optional<Duration> pause(Call call, Endpoint settings, CallFailure failure, int tries) {
        return switch (failure.kind()) {
            case UNREACHABLE -> tries <= settings.connectRetries() ? Optional.of(doubling(tries)) : Optional.empty();
            case CUT_OFF ->
                call.repeatable() && tries <= Math.max(1, settings.connectRetries())
                        ? Optional.of(doubling(tries))
                        : Optional.empty();
            case REFUSED -> afterRefusal(call, settings, failure, tries);
            case UNTRUSTED, TIMEOUT, NO_SERVICE, NONSENSE, CLOSED -> Optional.empty();
        };
    }

    private static Optional<Duration> afterRefusal(Call call, Endpoint settings, CallFailure failure, int tries) {
        if (!call.repeatable()) {
            return Optional.empty();
        }
        boolean told = failure.retryAfter().isPresent();
        int allowed = switch (failure.status().orElse(0)) {
            case 429 -> REFUSALS;
            case 503 -> told ? Math.max(REFUSALS, settings.statusRetries()) : settings.statusRetries();
            default -> 0;
        };
        return tries <= allowed ? Optional.of(failure.retryAfter().orElse(doubling(tries))) : Optional.empty();
    }

    private static Duration doubling(int tries) {
        return FIRST_PAUSE.multipliedBy(1L << Math.min(tries - 1, 6));
    }

    /** The service's own word on when to try again, as seconds; a date is too imprecise to be worth it. */
    static Optional<Duration> retryAfter(Reply reply) {
        return reply.header("Retry-After").flatMap(text -> {
            try {
                Duration wanted = Duration.ofSeconds(Math.max(0, Long.parseLong(text.strip())));
                return Optional.of(wanted.compareTo(LONGEST_PAUSE) < 0 ? wanted : LONGEST_PAUSE);
            } catch (NumberFormatException date) {
                return Optional.empty();
            }
        });
    }
}
