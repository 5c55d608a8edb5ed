package nodepool.launcher;

import java.time.Clock;
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
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import nodepool.api.config.Configuration;
import nodepool.api.config.ConfigurationSource;
import nodepool.api.config.ProviderEntry;
import nodepool.api.driver.Driver;
import nodepool.api.driver.HostKeyScanner;
import nodepool.api.driver.PoolConfig;
import nodepool.api.driver.ProviderConfig;
import nodepool.api.event.Event;
import nodepool.api.quota.QuotaInformation;
import nodepool.api.registry.ComponentRegistry;
import nodepool.api.registry.Registration;
import nodepool.api.store.Snapshot;
import nodepool.api.store.SnapshotSource.Subscription;
import nodepool.api.store.Stores;
import nodepool.api.verdict.Reason;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Follows the configuration and the drivers that are here: keeps one generation of each provider in service and one {@link
 * PoolWorker} per pool, and lets go of what is no longer configured. All changes happen on its loop.
 */
final class Launcher {

    private static final Duration SAFETY_PASS = Duration.ofSeconds(30);
    private static final Duration FACTS_AGE = Duration.ofMinutes(5);
    private static final Duration FIRST_RETRY = Duration.ofSeconds(2);
    private static final Duration LONGEST_RETRY = Duration.ofMinutes(5);
    private static final Duration FIRST_DOUBT = Duration.ofSeconds(1);
    private static final Duration LONGEST_DOUBT = Duration.ofSeconds(30);
    private static final Duration STOP_LIMIT = Duration.ofSeconds(30);
    private static final Logger log = LoggerFactory.getLogger("nodepool.NodePool");

    private final Loop loop = new Loop("NodePool", this::pass, bug -> log.error("Exception in main loop", bug));
    private final Clock clock;
    private final Supplier<UUID> random;
    private final String hostname;
    private final ConfigurationSource configuration;
    private final Stores stores;
    private final DriverRegistry drivers;
    private final HostKeyScanner scanner;
    private final EventBroadcast events;
    private final SpareKeeper spares;
    private final DeletedNodeWorker deletedNodes;
    private final CleanupWorker cleanup;
    private final List<Subscription> subscriptions = new ArrayList<>();

    private final Map<String, ProviderSlot> slots = new ConcurrentHashMap<>();
    private final Map<String, RunningProvider> starting = new HashMap<>();
    private final BackOff starts = new BackOff(FIRST_RETRY, LONGEST_RETRY);
    private final BackOff doubts = new BackOff(FIRST_DOUBT, LONGEST_DOUBT);
    private final Set<String> doubted = new HashSet<>();
    private final Map<String, Reason> troubles = new HashMap<>();
    private final Map<String, Instant> learned = new HashMap<>();
    private final TenantLedger tenants = new TenantLedger();
    private final Map<String, PoolWorker> workers = new LinkedHashMap<>();
    private Optional<ComponentRegistry.Own> registration = Optional.empty();
    private boolean registering;

    Launcher(
            Clock clock,
            Supplier<UUID> random,
            String hostname,
            ConfigurationSource configuration,
            Stores stores,
            DriverRegistry drivers,
            HostKeyScanner scanner,
            EventBroadcast events) {
        this.clock = clock;
        this.random = random;
        this.hostname = hostname;
        this.configuration = configuration;
        this.stores = stores;
        this.drivers = drivers;
        this.scanner = scanner;
        this.events = events;
        this.spares = new SpareKeeper(loop, clock, stores, random);
        this.deletedNodes = new DeletedNodeWorker(
                clock, stores, configuration::current, name -> Optional.ofNullable(slots.get(name)), events);
        this.cleanup = new CleanupWorker(clock, stores, configuration::current, () -> List.copyOf(slots.values()));
    }

    void start() {
        subscriptions.add(configuration.onChange(() -> loop.execute(this::reconfigured)));
        subscriptions.add(drivers.onChange(loop::wake));
        subscriptions.add(stores.snapshots().onChange(loop::wake));
        loop.wakeEvery(SAFETY_PASS);
        loop.wake();
    }

    /** Lets go of what is in hand, for others to go on with, and withdraws every registration. Bounded; may be called once. */
    void stop() {
        CompletableFuture<Void> stopped = new CompletableFuture<>();
        subscriptions.forEach(Subscription::close);
        deletedNodes.close();
        cleanup.close();
        loop.execute(() -> {
            List<CompletableFuture<?>> ends = new ArrayList<>();
            workers.values().forEach(worker -> ends.add(worker.stop().toCompletableFuture()));
            registration.ifPresent(own -> ends.add(own.close().toCompletableFuture()));
            loop.after(CompletableFuture.allOf(ends.toArray(CompletableFuture[]::new)), (done, failure) -> {
                slots.values().forEach(slot -> slot.current().ifPresent(RunningProvider::retire));
                stopped.complete(null);
            });
        });
        try {
            stopped.get(STOP_LIMIT.toSeconds(), TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException | TimeoutException e) {
            log.warn("Stopped before everything in hand was let go; the locks go with the session", e);
        }
        loop.close();
    }

    private void pass() {
        Optional<Configuration> config = configuration.current();
        if (config.isEmpty()) {
            return;
        }
        register();
        config.get().providers().forEach(this::follow);
        removeProviders(config.get());
        followPools();
        refreshFacts();
        Optional<Snapshot> now = stores.snapshots().current();
        if (now.isEmpty()) {
            spares.forget();
        } else {
            Set<String> ours = new HashSet<>();
            workers.values().forEach(worker -> ours.add(worker.launcherId()));
            spares.look(now.get(), config.get().labels().values(), ours, label -> room(label, now.get()));
        }
    }

    /** Limits and labels change answers without changing any provider. */
    private void reconfigured() {
        loop.wake();
        workers.values().forEach(worker -> worker.loop().wake());
    }

    private void register() {
        if (registration.isEmpty() && !registering) {
            registering = true;
            loop.after(
                    stores.components()
                            .register(new Registration(
                                    hostname,
                                    Registration.Kind.LAUNCHER,
                                    0,
                                    "running",
                                    Optional.empty(),
                                    Optional.empty())),
                    (own, failure) -> {
                        registering = false;
                        registration = Optional.ofNullable(own);
                    });
        }
    }

    /** Brings one provider to what its entry says, if its driver is here. */
    private void follow(ProviderEntry entry) {
        String name = entry.name();
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
                && latest.config().withoutCapacity().equals(config.withoutCapacity());
        if (same && !slot.config().equals(config) && !starting.containsKey(name)) {
            slot.configured(config);
            wakePools(name);
        }
        if (!same && starts.isDue(name, clock.instant())) {
            begin(slot, config, driver.get());
        }
    }

    private ProviderSlot newSlot(ProviderConfig config) {
        return new ProviderSlot(config, () -> loop.execute(() -> doubt(config.name())));
    }

    /** The provider refused what it seemed to have room for: it is asked again, less often each time. */
    private void doubt(String provider) {
        if (doubted.add(provider)) {
            loop.in(doubts.failed(provider, clock.instant()), () -> {
                doubted.remove(provider);
                Optional.ofNullable(slots.get(provider)).ifPresent(this::learn);
            });
        }
    }

    /** Starts a new generation; the old one stays in service until the new one is up. */
    private void begin(ProviderSlot slot, ProviderConfig config, Driver driver) {
        String name = slot.name();
        Runnable changed = () -> {
            loop.execute(() -> learn(slot));
            wakePools(name);
        };
        RunningProvider generation;
        try {
            generation = new RunningProvider(config, driver, stores, scanner, clock, changed, events);
        } catch (RuntimeException | LinkageError bug) {
            failed(slot, new IllegalStateException("driver " + driver.name() + " failed: " + bug, bug));
            return;
        }
        log.info("Starting provider {}", name);
        slot.current().ifPresent(old -> old.provider().idle());
        starting.put(name, generation);
        loop.after(
                generation.call(() -> {
                    generation.provider().start();
                    return FactsReader.read(
                            config, generation.provider(), stores.snapshots().current());
                }),
                (facts, failure) -> {
                    if (!starting.remove(name, generation)) {
                        generation.retire();
                    } else if (facts == null) {
                        generation.retire();
                        failed(slot, failure);
                    } else {
                        Optional<RunningProvider> old = slot.current();
                        slot.configured(latestConfig(config));
                        slot.inService(generation, facts);
                        old.ifPresent(RunningProvider::retire);
                        starts.forget(name);
                        log.info("Provider {} is in service", name);
                        tellOfTrouble(slot);
                        learned.put(name, clock.instant());
                        loop.wake();
                        wakePools(name);
                        deletedNodes.wake();
                    }
                });
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
        tellOfTrouble(slot);
        loop.in(wait.plusMillis(1), loop::wake);
    }

    /** What was asked long ago is asked again. */
    private void refreshFacts() {
        Instant old = clock.instant().minus(FACTS_AGE);
        for (ProviderSlot slot : slots.values()) {
            if (slot.current().isPresent()
                    && !learned.getOrDefault(slot.name(), old).isAfter(old)) {
                learn(slot);
            }
        }
    }

    /** Asks the provider again for what decisions depend on; until it answers, less often each time. */
    private void learn(ProviderSlot slot) {
        learned.put(slot.name(), clock.instant());
        slot.current()
                .ifPresent(generation -> loop.after(
                        generation.call(() -> FactsReader.read(
                                generation.config(),
                                generation.provider(),
                                stores.snapshots().current())),
                        (facts, failure) -> {
                            if (facts != null) {
                                slot.learned(facts);
                            } else {
                                log.warn("Could not ask provider {} for its quota; the last answer stays", slot.name());
                                doubt(slot.name());
                            }
                            tellOfTrouble(slot);
                            wakePools(slot.name());
                        }));
    }

    private void tellOfTrouble(ProviderSlot slot) {
        Optional<Reason> now = slot.trouble();
        if (!now.equals(Optional.ofNullable(troubles.get(slot.name())))) {
            now.ifPresentOrElse(why -> troubles.put(slot.name(), why), () -> troubles.remove(slot.name()));
            events.on(new Event.ProviderChanged(slot.name(), now));
        }
    }

    private void leave(ProviderSlot slot, Reason why) {
        slot.current().ifPresent(RunningProvider::retire);
        slot.outOfService(why);
        tellOfTrouble(slot);
        wakePools(slot.name());
    }

    private void removeProviders(Configuration config) {
        for (ProviderSlot slot : List.copyOf(slots.values())) {
            boolean busy = workers.values().stream().anyMatch(worker -> worker.slot() == slot);
            if (config.provider(slot.name()).isEmpty() && !busy) {
                log.info("Removing provider {}", slot.name());
                slots.remove(slot.name());
                starting.remove(slot.name());
                troubles.remove(slot.name());
                learned.remove(slot.name());
                slot.remove();
                deletedNodes.wake();
            }
        }
    }

    /** One worker per configured pool; those no longer configured finish what they have. */
    private void followPools() {
        Set<String> wanted = new HashSet<>();
        for (ProviderSlot slot : slots.values()) {
            boolean configured = configuration
                    .current()
                    .flatMap(now -> now.provider(slot.name()))
                    .isPresent();
            if (configured) {
                for (PoolConfig pool : slot.config().pools()) {
                    String key = slot.name() + "-" + pool.name();
                    wanted.add(key);
                    workers.computeIfAbsent(key, missing -> begin(slot, pool.name()));
                }
            }
        }
        for (Map.Entry<String, PoolWorker> worker : List.copyOf(workers.entrySet())) {
            if (!wanted.contains(worker.getKey())) {
                worker.getValue()
                        .retire()
                        .thenRun(() -> loop.execute(() -> {
                            workers.remove(worker.getKey(), worker.getValue());
                            loop.wake();
                        }));
            }
        }
    }

    private PoolWorker begin(ProviderSlot slot, String pool) {
        String id = "%s-PoolWorker.%s-%s-%s"
                .formatted(hostname, slot.name(), pool, random.get().toString().replace("-", ""));
        PoolWorker worker =
                new PoolWorker(slot, pool, id, hostname, clock, stores, scanner, tenants, events, new Surroundings());
        worker.start();
        return worker;
    }

    private void wakePools(String provider) {
        loop.execute(() -> workers.values().stream()
                .filter(worker -> worker.slot().name().equals(provider))
                .forEach(worker -> worker.loop().wake()));
    }

    /** Called on the pools' loops. */
    private final class Surroundings implements PoolWorker.Surroundings {

        @Override
        public PoolView view(PoolWorker worker, Snapshot snapshot, PoolConfig pool) {
            return Launcher.this.view(worker, snapshot, pool);
        }

        @Override
        public Map<String, QuotaInformation> tenantLimits() {
            return configuration.current().map(Configuration::tenantLimits).orElse(Map.of());
        }
    }

    private PoolView view(PoolWorker worker, Snapshot snapshot, PoolConfig pool) {
        ProviderSlot slot = worker.slot();
        boolean launches = slot.current()
                .map(generation -> generation.provider().launches())
                .orElse(true);
        return new PoolView(
                worker.launcherId(),
                slot.name(),
                pool,
                slot.facts(),
                withoutUpload(snapshot, slot.name(), pool),
                slot.trouble(),
                launches,
                // Whether the pool itself is paused changes no answer of its own.
                Registry.pools(snapshot).stream()
                        .map(other -> other.id().equals(worker.launcherId()) ? unpaused(other) : other)
                        .toList(),
                tenants.room(),
                minReady());
    }

    private Map<String, Integer> minReady() {
        Map<String, Integer> wanted = new HashMap<>();
        configuration.current().map(Configuration::labels).orElse(Map.of()).forEach((name, label) -> {
            if (label.minReady() > 0) {
                wanted.put(name, label.minReady());
            }
        });
        return wanted;
    }

    private static Registration.Pool unpaused(Registration.Pool pool) {
        return new Registration.Pool(
                pool.id(), pool.name(), pool.provider(), pool.supportedLabels(), pool.priority(), false);
    }

    /** Labels whose managed image has no ready upload. */
    private static Map<String, Reason> withoutUpload(Snapshot snapshot, String provider, PoolConfig pool) {
        Map<String, Reason> unready = new HashMap<>();
        pool.labels()
                .forEach(label -> label.diskImage()
                        .filter(image -> snapshot.currentUpload(image, provider).isEmpty())
                        .ifPresent(image -> unready.put(
                                label.name(),
                                Reason.of(
                                        Reason.Code.IMAGE_MISSING,
                                        "no ready upload of image %s to provider %s".formatted(image, provider)))));
        return unready;
    }

    /** How many nodes of that label the pools of this process have room for. */
    private int room(String label, Snapshot snapshot) {
        long room = 0;
        for (ProviderSlot slot : slots.values()) {
            boolean launches = slot.current()
                    .filter(generation -> generation.provider().launches())
                    .isPresent();
            for (PoolConfig pool : launches ? slot.config().pools() : List.<PoolConfig>of()) {
                if (canLaunch(slot, pool, label, snapshot)) {
                    slot.refresh(snapshot);
                    ProviderFacts facts = slot.facts();
                    room += slot.ledger().fits(pool, facts.limits(), facts.need(pool.name(), label));
                }
            }
        }
        return (int) Math.min(room, Integer.MAX_VALUE);
    }

    private static boolean canLaunch(ProviderSlot slot, PoolConfig pool, String label, Snapshot snapshot) {
        return pool.label(label).isPresent()
                && slot.facts().broken(pool.name(), label).isEmpty()
                && slot.facts().unready(pool.name(), label).isEmpty()
                && !withoutUpload(snapshot, slot.name(), pool).containsKey(label);
    }
}
