package nodepool.launcher;

import java.time.Clock;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import nodepool.api.driver.HostKeyScanner;
import nodepool.api.event.Event;
import nodepool.api.registry.ProviderStatus;
import nodepool.api.store.Stores;
import nodepool.api.verdict.Reason;
import nodepool.api.verdict.Verdict;
import nodepool.driver.staticnode.StaticDriver;

/** A real {@link Launcher} with a session of its own, as if it were a process of its own. */
final class LauncherProcess implements AutoCloseable {

    private final String hostname;
    private final Stores stores;
    private final ScriptedDriver driver;
    private final DriverRegistry drivers = new DriverRegistry();
    private final SettableConfiguration configuration;
    private final Launcher launcher;
    private final Bell bell = new Bell();
    private final List<Event> events = new CopyOnWriteArrayList<>();
    private boolean ended;

    LauncherProcess(String hostname, Stores stores, ScriptedDriver driver, HostKeyScanner scanner, Clock clock) {
        this.hostname = hostname;
        this.stores = stores;
        this.driver = driver;
        StaticDriver hosts = new StaticDriver();
        this.configuration = new SettableConfiguration(List.of(driver, hosts));
        EventBroadcast broadcast = new EventBroadcast();
        broadcast.addListener(event -> {
            events.add(event);
            bell.ring();
        });
        drivers.addDriver(driver);
        drivers.addDriver(hosts);
        this.launcher =
                new Launcher(clock, UUID::randomUUID, hostname, configuration, stores, drivers, scanner, broadcast);
    }

    String hostname() {
        return hostname;
    }

    /** How many pools are configured. */
    long pools() {
        return configuration.current().orElseThrow().providers().stream()
                .flatMap(entry -> entry.config().stream())
                .mapToLong(config -> config.pools().size())
                .sum();
    }

    void configure(String yaml) {
        configuration.set(yaml);
    }

    void start() {
        launcher.start();
    }

    /** How many generations of that provider were made. */
    int providersMade(String provider) {
        return driver.made(provider);
    }

    void awaitProvidersMade(String provider, int number) {
        driver.awaitMade(provider, number);
    }

    /** The driver leaves, as when its bundle is stopped. */
    void removeDriver() {
        drivers.removeDriver(driver);
    }

    void addDriver() {
        drivers.addDriver(driver);
    }

    /** An orderly end. */
    void stop() {
        ended = true;
        launcher.stop();
        stores.close();
    }

    /** A disorderly end: the session is gone and nothing this process still does has any effect. */
    void crash() {
        ended = true;
        driver.die();
        stores.close();
        CompletableFuture.runAsync(launcher::stop);
    }

    @Override
    public void close() {
        if (!ended) {
            stop();
        }
    }

    /** Waits until a pool of this process has put that request off for that reason. */
    void awaitDeferred(String request, Reason.Code code) {
        awaitVerdict(
                request,
                "deferred, " + code,
                verdict -> verdict instanceof Verdict.Defer no && no.until().code() == code);
    }

    /** Waits until a pool of this process has declined that request for that reason. */
    void awaitDeclined(String request, Reason.Code code) {
        awaitVerdict(
                request,
                "declined, " + code,
                verdict -> verdict instanceof Verdict.Decline no && no.because().code() == code);
    }

    private void awaitVerdict(String request, String what, Function<Verdict, Boolean> wanted) {
        awaitEvent(
                request + " " + what,
                event -> event instanceof Event.Judged judged
                                && judged.requestId().equals(request)
                        ? Optional.of(judged).filter(found -> wanted.apply(found.verdict()))
                        : Optional.empty());
    }

    /** Waits until a provider of this process was in trouble. */
    void awaitTrouble() {
        awaitEvent(
                "trouble",
                event -> event instanceof Event.ProviderChanged changed ? changed.trouble() : Optional.empty());
    }

    /** Waits until this process has let go of every other provider. */
    void awaitProviders(Set<String> wanted) {
        Supplier<Set<String>> now = () ->
                launcher.status().stream().map(ProviderStatus.Provider::name).collect(Collectors.toSet());
        Bell.await(
                "providers " + wanted,
                bell::onChange,
                () -> Optional.of(now.get()).filter(wanted::equals),
                () -> now.get().toString());
    }

    /** Waits for an event of this process, one that was already heard included. */
    <T> T awaitEvent(String what, Function<Event, Optional<T>> wanted) {
        return Bell.await(
                what,
                bell::onChange,
                () -> events.stream()
                        .flatMap(event -> wanted.apply(event).stream())
                        .findFirst(),
                events::toString);
    }

    /** What was heard so far. */
    List<Event> events() {
        return List.copyOf(events);
    }
}
