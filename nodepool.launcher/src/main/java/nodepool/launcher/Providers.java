package nodepool.launcher;

import java.time.Clock;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.Predicate;
import nodepool.api.config.Configuration;
import nodepool.api.config.ConfigurationSource;
import nodepool.api.config.ProviderEntry;
import nodepool.api.driver.Driver;
import nodepool.api.driver.HostKeyScanner;
import nodepool.api.driver.ProviderConfig;
import nodepool.api.driver.Redaction;
import nodepool.api.event.Event;
import nodepool.api.event.EventListener;
import nodepool.api.store.Stores;
import nodepool.api.verdict.Reason;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps one generation of each configured provider in service, as long as its driver is here. A new generation is started
 * beside the old one and takes its place when it is up. Changes happen on the launcher's loop; {@link #all} and {@link #find}
 * may be called from everywhere.
 */
final class Providers {

    private static final Duration FIRST_RETRY = Duration.ofSeconds(2);
    private static final Duration LONGEST_RETRY = Duration.ofMinutes(5);
    private static final Logger log = LoggerFactory.getLogger("nodepool.NodePool");

    private final Loop loop;
    private final Clock clock;
    private final Stores stores;
    private final ConfigurationSource configuration;
    private final DriverRegistry drivers;
    private final HostKeyScanner scanner;
    private final EventListener events;
    private final Consumer<String> changed;
    private final FactsKeeper facts;
    private final Leaving leaving;
    private final Map<String, ProviderSlot> slots = new ConcurrentHashMap<>();
    private final Map<String, RunningProvider> starting = new HashMap<>();
    private final BackOff starts = new BackOff(FIRST_RETRY, LONGEST_RETRY);

    /** @param changed told, on the loop, the name of a provider of which something changed that answers depend on */
    Providers(
            Loop loop,
            Clock clock,
            Stores stores,
            ConfigurationSource configuration,
            DriverRegistry drivers,
            HostKeyScanner scanner,
            EventListener events,
            Consumer<String> changed) {
        this.loop = loop;
        this.clock = clock;
        this.stores = stores;
        this.configuration = configuration;
        this.drivers = drivers;
        this.scanner = scanner;
        this.events = events;
        this.changed = changed;
        this.facts = new FactsKeeper(loop, clock, stores, events, changed);
        this.leaving = new Leaving(loop, stores);
    }

    Collection<ProviderSlot> all() {
        return List.copyOf(slots.values());
    }

    Optional<ProviderSlot> find(String name) {
        return Optional.ofNullable(slots.get(name));
    }

    /** Brings every provider to what the configuration says. */
    void follow(Configuration config, Predicate<ProviderSlot> busy) {
        config.providers().forEach(this::follow);
        removeThoseNotIn(config, busy);
        facts.refresh(slots.values());
    }

    /** The process ends. */
    void retire() {
        slots.values().forEach(slot -> slot.current().ifPresent(RunningProvider::retire));
    }

    /** Brings one provider to what its entry says, if its driver is here. */
    private void follow(ProviderEntry entry) {
        String name = entry.name();
        leaving.forget(name);
        Optional<Driver> driver = drivers.find(entry.driver());
        ProviderSlot slot = slots.get(name);
        if (driver.isEmpty() || entry.config().isEmpty()) {
            if (slot != null && slot.current().isPresent() && driver.isEmpty()) {
                log.warn("Driver {} of provider {} is gone; its requests wait for it", entry.driver(), name);
                leave(slot, Reason.of(Reason.Code.DRIVER_ABSENT, "driver " + entry.driver() + " is not installed"));
            }
            return;
        }
        ProviderConfig config = entry.config().get();
        if (slot == null) {
            slot = newSlot(config);
            slots.put(name, slot);
        }
        RunningProvider latest = starting.getOrDefault(name, slot.current().orElse(null));
        boolean same = latest != null
                && latest.driver() == driver.get()
                && ProviderChange.of(latest.config(), config) != ProviderChange.RESTART;
        if (same && !slot.config().equals(config) && !starting.containsKey(name)) {
            slot.configured(config);
            changed.accept(name);
        }
        if (!same && starts.isDue(name, clock.instant())) {
            begin(slot, config, new Redaction(entry.section().secrets()), driver.get());
        }
    }

    private ProviderSlot newSlot(ProviderConfig config) {
        String name = config.name(); // Not the configuration: the slot outlives it, and with it the driver's classes.
        return new ProviderSlot(config, () -> loop.execute(() -> find(name).ifPresent(facts::doubt)));
    }

    /** Starts a new generation; the old one stays in service until the new one is up. */
    private void begin(ProviderSlot slot, ProviderConfig config, Redaction redaction, Driver driver) {
        String name = slot.name();
        Runnable changedThere = () -> loop.execute(() -> {
            facts.learn(slot);
            changed.accept(name);
        });
        RunningProvider generation;
        try {
            generation = new RunningProvider(
                    config,
                    redaction,
                    driver,
                    () -> drivers.isHere(driver),
                    stores,
                    scanner,
                    clock,
                    changedThere,
                    events);
        } catch (RuntimeException | LinkageError bug) {
            failed(
                    slot,
                    redaction.clean(new IllegalStateException("driver " + driver.name() + " failed: " + bug, bug)));
            return;
        }
        log.info("Starting provider {}", name);
        slot.current().ifPresent(old -> old.provider().idle());
        starting.put(name, generation);
        loop.after(
                generation.call(() -> {
                    generation.provider().start();
                    return generation.readFacts(stores.snapshots().current());
                }),
                (known, failure) -> {
                    if (!starting.remove(name, generation)) {
                        generation.retire();
                    } else if (known == null) {
                        generation.retire();
                        failed(slot, failure);
                    } else {
                        inService(slot, generation, known);
                    }
                });
    }

    private void inService(ProviderSlot slot, RunningProvider generation, ProviderFacts known) {
        Optional<RunningProvider> old = slot.current();
        slot.configured(latestConfig(generation.config()));
        slot.inService(generation, known);
        old.ifPresent(RunningProvider::retire);
        starts.forget(slot.name());
        log.info("Provider {} is in service", slot.name());
        facts.answered(slot);
        loop.wake();
        changed.accept(slot.name());
    }

    /** The entry as it is now, if it changed in its capacity only while its provider started. */
    private ProviderConfig latestConfig(ProviderConfig started) {
        return configuration
                .current()
                .flatMap(now -> now.provider(started.name()))
                .flatMap(ProviderEntry::config)
                .filter(now -> now.withoutCapacity().equals(started.withoutCapacity()))
                .orElse(started);
    }

    private void failed(ProviderSlot slot, @Nullable Throwable failure) {
        String name = slot.name();
        String why = failure == null ? "unknown" : Outcome.cause(failure).getMessage();
        Duration wait = starts.failed(name, clock.instant());
        log.warn("Provider {} did not start, next try in {} s: {}", name, wait.toSeconds(), why);
        Reason reason = Reason.of(Reason.Code.PROVIDER_FAILED, "provider " + name + " did not start: " + why);
        if (slot.current().isEmpty()) {
            slot.outOfService(reason);
        } else {
            events.on(new Event.ProviderChanged(name, Optional.of(reason)));
        }
        facts.tellOfTrouble(slot);
        loop.in(wait.plusMillis(1), loop::wake);
    }

    private void leave(ProviderSlot slot, Reason why) {
        slot.current().ifPresent(RunningProvider::retire);
        slot.outOfService(why);
        facts.tellOfTrouble(slot);
        changed.accept(slot.name());
    }

    private void removeThoseNotIn(Configuration config, Predicate<ProviderSlot> busy) {
        for (ProviderSlot slot : all()) {
            String name = slot.name();
            if (config.provider(name).isEmpty() && !busy.test(slot) && leaving.isEmptied(slot)) {
                log.info("Removing provider {}", name);
                slots.remove(name);
                starting.remove(name);
                facts.forget(name);
                leaving.forget(name);
                slot.remove();
                events.on(new Event.ProviderChanged(name, Optional.empty()));
                changed.accept(name);
            }
        }
    }
}
