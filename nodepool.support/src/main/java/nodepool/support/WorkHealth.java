package nodepool.support;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import nodepool.api.event.Event;
import nodepool.api.event.EventListener;
import nodepool.api.monitor.HealthCheck;
import nodepool.api.verdict.Reason;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;

/** How pools and providers are, as their events tell: a pool that has not passed for long hangs. Thread-safe. */
@Component(service = {EventListener.class, HealthCheck.class})
public final class WorkHealth implements EventListener, HealthCheck {

    /** Pools pass every 30 s at the latest. */
    private static final Duration LONG = Duration.ofMinutes(2);

    /** A pool that is not configured any more passes no more. */
    private static final Duration FORGOTTEN = Duration.ofMinutes(30);

    private final Clock clock;
    private final Map<String, Instant> passes = new ConcurrentHashMap<>();
    private final Map<String, Optional<Reason>> providers = new ConcurrentHashMap<>();

    /** With the system's time. */
    @Activate
    public WorkHealth() {
        this(Clock.systemUTC());
    }

    WorkHealth(Clock clock) {
        this.clock = clock;
    }

    @Override
    public void on(Event event) {
        if (event instanceof Event.PoolPassed pass) {
            passes.put(pass.provider() + "-" + pass.pool(), clock.instant());
        } else if (event instanceof Event.ProviderChanged changed) {
            providers.put(changed.provider(), changed.trouble());
        }
    }

    @Override
    public List<Health> check() {
        Instant now = clock.instant();
        passes.values().removeIf(at -> Duration.between(at, now).compareTo(FORGOTTEN) > 0);
        List<Health> all = new ArrayList<>();
        passes.forEach((pool, at) -> all.add(pool("pool " + pool, Duration.between(at, now))));
        providers.forEach((provider, trouble) -> all.add(provider("provider " + provider, trouble)));
        return all;
    }

    private static Health pool(String part, Duration ago) {
        String text = "last pass " + ago.toSeconds() + " s ago";
        return ago.compareTo(LONG) > 0 ? Health.degraded(part, text) : Health.ok(part, text);
    }

    private static Health provider(String part, Optional<Reason> trouble) {
        if (trouble.isEmpty()) {
            return Health.ok(part, "well");
        }
        String text = trouble.get().detail();
        return switch (trouble.get().code()) {
            case PROVIDER_STARTING, DRIVER_ABSENT -> Health.starting(part, text);
            case PROVIDER_FAILED -> Health.failed(part, text);
            default -> Health.degraded(part, text);
        };
    }
}
