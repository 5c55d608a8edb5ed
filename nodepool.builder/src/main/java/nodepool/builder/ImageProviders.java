package nodepool.builder;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Supplier;
import nodepool.api.config.Configuration;
import nodepool.api.config.ProviderEntry;
import nodepool.api.driver.CloudException;
import nodepool.api.driver.Driver;
import nodepool.api.driver.ProviderConfig;
import nodepool.api.driver.Redaction;
import nodepool.builder.decision.Retries;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps one running provider for each entry that manages images: starts it, replaces it when its entry or driver changes,
 * stops it when it is gone. One that does not start is tried again, less and less often.
 */
final class ImageProviders {

    private static final Logger log = LoggerFactory.getLogger("nodepool.builder.Providers");

    private final Loop loop =
            new Loop("builder-providers", this::pass, bug -> log.error("Exception in the providers' loop", bug));
    private final BuilderContext context;
    private final Supplier<Optional<Configuration>> configuration;
    private final DriverRegistry drivers;
    private final Runnable changed;
    private final ExecutorService starters = Executors.newCachedThreadPool(DaemonThreads.named("provider-start"));
    private final Map<String, ProviderGeneration> inService = new ConcurrentHashMap<>();
    private final Map<String, ProviderGeneration> starting = new HashMap<>();
    private final Retries<String> retries = Retries.ofUploads();

    /** @param changed told when a provider came into service; returns at once */
    ImageProviders(
            BuilderContext context,
            Supplier<Optional<Configuration>> configuration,
            DriverRegistry drivers,
            Runnable changed) {
        this.context = context;
        this.configuration = configuration;
        this.drivers = drivers;
        this.changed = changed;
    }

    /** The configuration or the drivers have changed. Returns at once. */
    void wake() {
        loop.wake();
    }

    /** The images of that provider, to be given back; absent while it is not in service. */
    Optional<ProviderGeneration.Lease> lease(String provider) {
        return Optional.ofNullable(inService.get(provider)).flatMap(ProviderGeneration::lease);
    }

    /** Whether something can be begun there. */
    boolean isInService(String provider) {
        return inService.containsKey(provider);
    }

    private void pass() {
        Optional<Configuration> config = configuration.get();
        if (config.isEmpty()) {
            return;
        }
        Map<String, ProviderEntry> entries = new LinkedHashMap<>();
        config.get().providers().stream()
                .filter(entry ->
                        entry.config().flatMap(ProviderConfig::wantedImages).isPresent())
                .forEach(entry -> entries.put(entry.name(), entry));
        Set<String> gone = new HashSet<>(inService.keySet());
        gone.removeAll(entries.keySet());
        gone.forEach(this::leave);
        Instant now = context.clock().instant();
        List<Instant> due = new ArrayList<>();
        entries.values().forEach(entry -> follow(entry, now).ifPresent(due::add));
        due.stream()
                .min(Instant::compareTo)
                .ifPresentOrElse(next -> loop.wakeIn(Duration.between(now, next)), loop::silence);
    }

    private void leave(String name) {
        Optional.ofNullable(inService.remove(name)).ifPresent(ProviderGeneration::retire);
        log.info("Provider {} takes no images any more", name);
    }

    /** Brings one provider to what its entry says; tells when to try again if that has failed. */
    private Optional<Instant> follow(ProviderEntry entry, Instant now) {
        String name = entry.name();
        ProviderConfig config = entry.config().orElseThrow();
        Optional<Driver> driver = drivers.find(entry.driver());
        Optional<ProviderGeneration> latest =
                Optional.ofNullable(starting.get(name)).or(() -> Optional.ofNullable(inService.get(name)));
        if (driver.isEmpty()) {
            if (inService.containsKey(name)) {
                leave(name);
            }
            return Optional.empty();
        }
        if (latest.filter(known -> known.isOf(config, driver.get())).isPresent()) {
            return Optional.empty();
        }
        Optional<Instant> wait = retries.notBefore(name, config, now);
        if (wait.isEmpty()) {
            begin(name, config, new Redaction(entry.section().secrets()), driver.get());
        }
        return wait;
    }

    private void begin(String name, ProviderConfig config, Redaction redaction, Driver driver) {
        ProviderGeneration generation;
        try {
            generation = new ProviderGeneration(config, redaction, driver, context);
        } catch (RuntimeException | LinkageError bug) {
            failed(name, config, bug);
            return;
        }
        starting.put(name, generation);
        starters.execute(() -> {
            Optional<Throwable> failure = Optional.empty();
            try {
                generation.start();
            } catch (CloudException | RuntimeException | LinkageError trouble) {
                failure = Optional.of(trouble);
            }
            Optional<Throwable> outcome = failure;
            loop.execute(() -> started(name, config, generation, outcome));
        });
    }

    private void started(
            String name, ProviderConfig config, ProviderGeneration generation, Optional<Throwable> failure) {
        boolean wanted = starting.remove(name, generation);
        if (failure.isPresent() || !wanted) {
            generation.retire();
            failure.ifPresent(trouble -> failed(name, config, trouble));
            return;
        }
        retries.forget(name);
        Optional.ofNullable(inService.put(name, generation)).ifPresent(ProviderGeneration::retire);
        log.info("Provider {} takes images", name);
        loop.wake();
        changed.run();
    }

    private void failed(String name, ProviderConfig config, Throwable trouble) {
        Duration wait = retries.failed(name, config, context.clock().instant());
        log.warn("Provider {} did not start, next try in {} s: {}", name, wait.toSeconds(), trouble.toString());
        loop.wake();
    }

    /** Lets uploads under way end with their threads. Returns at once. */
    void stop() {
        loop.execute(() -> {
            starters.shutdownNow();
            inService.values().forEach(ProviderGeneration::retire);
            inService.clear();
            loop.close();
        });
    }
}
