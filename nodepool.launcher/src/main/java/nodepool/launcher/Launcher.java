package nodepool.launcher;

import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import nodepool.api.config.Configuration;
import nodepool.api.config.ConfigurationSource;
import nodepool.api.driver.HostKeyScanner;
import nodepool.api.event.EventListener;
import nodepool.api.registry.ComponentRegistry;
import nodepool.api.registry.ProviderStatus;
import nodepool.api.registry.Registration;
import nodepool.api.store.Snapshot;
import nodepool.api.store.SnapshotSource.Subscription;
import nodepool.api.store.Stores;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The launcher of a process: brings {@link Providers} and {@link Pools} to what the configuration says, at every change of
 * it, of the drivers that are here, and of the shared state. Start reading at {@link #pass}.
 */
final class Launcher {

    private static final Duration SAFETY_PASS = Duration.ofSeconds(30);
    private static final Duration STOP_LIMIT = Duration.ofSeconds(30);
    private static final Logger log = LoggerFactory.getLogger("nodepool.NodePool");

    private final Loop loop = new Loop("NodePool", this::pass, bug -> log.error("Exception in main loop", bug));
    private final String hostname;
    private final ConfigurationSource configuration;
    private final Stores stores;
    private final DriverRegistry drivers;
    private final Providers providers;
    private final Pools pools;
    private final SpareKeeper spares;
    private final Draining draining;
    private final DeletedNodeWorker deletedNodes;
    private final CleanupWorker cleanup;
    private final List<Subscription> subscriptions = new ArrayList<>();
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
            EventListener events) {
        this.hostname = hostname;
        this.configuration = configuration;
        this.stores = stores;
        this.drivers = drivers;
        TenantLedger tenants = new TenantLedger();
        this.pools = new Pools(
                loop,
                clock,
                random,
                hostname,
                stores,
                scanner,
                events,
                tenants,
                new PoolViews(configuration::current, tenants));
        this.providers =
                new Providers(loop, clock, stores, configuration, drivers, scanner, events, this::providerChanged);
        this.spares = new SpareKeeper(loop, clock, stores, random);
        this.draining = new Draining(loop, clock, stores);
        this.deletedNodes = new DeletedNodeWorker(clock, stores, configuration::current, providers::find, events);
        this.cleanup = new CleanupWorker(clock, stores, configuration::current, providers::all);
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
            CompletableFuture<Void> let = pools.stop().toCompletableFuture();
            CompletableFuture<Void> withdrawn = registration
                    .map(own -> own.close().toCompletableFuture())
                    .orElse(CompletableFuture.completedFuture(null));
            loop.after(CompletableFuture.allOf(let, withdrawn), (done, failure) -> {
                providers.retire();
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

    /** How the providers are, by name. From any thread. */
    List<ProviderStatus.Provider> status() {
        Optional<Snapshot> now = stores.snapshots().current();
        return providers.all().stream()
                .map(slot -> ProviderReport.of(slot, now))
                .sorted(Comparator.comparing(ProviderStatus.Provider::name))
                .toList();
    }

    private void pass() {
        Optional<Configuration> config = configuration.current();
        if (config.isEmpty()) {
            return;
        }
        register();
        providers.follow(config.get(), pools::serve);
        pools.follow(config.get(), providers.all());
        Optional<Snapshot> now = stores.snapshots().current();
        if (now.isEmpty()) {
            spares.forget();
        } else {
            draining.look(providers.all(), now.get());
            spares.look(
                    now.get(),
                    config.get().labels().values(),
                    pools.launcherIds(),
                    label -> PoolViews.room(label, providers.all(), now.get()));
        }
    }

    /** Limits and labels change answers without changing any provider. */
    private void reconfigured() {
        loop.wake();
        pools.wake();
    }

    private void providerChanged(String name) {
        pools.wake(name);
        deletedNodes.wake();
    }

    private void register() {
        if (registration.isEmpty() && !registering) {
            registering = true;
            Registration launcher = new Registration(
                    hostname, Registration.Kind.LAUNCHER, 0, "running", Optional.empty(), Optional.empty());
            loop.after(stores.components().register(launcher), (own, failure) -> {
                registering = false;
                registration = Optional.ofNullable(own);
            });
        }
    }
}
