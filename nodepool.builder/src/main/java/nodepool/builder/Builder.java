package nodepool.builder;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import nodepool.api.config.Configuration;
import nodepool.api.config.ConfigurationSource;
import nodepool.api.event.EventListener;
import nodepool.api.registry.ComponentRegistry;
import nodepool.api.registry.Registration;
import nodepool.api.store.SnapshotSource.Subscription;
import nodepool.api.store.Stores;
import nodepool.builder.BuilderContext.Identity;
import nodepool.builder.decision.UploadSlots;
import nodepool.builder.dib.Installation;
import nodepool.builder.dib.RunningCommands;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A builder's life: registers, finds out who it is as soon as the configuration names an images directory, ends what an
 * earlier life has left running, and then lets its workers work.
 */
final class Builder {

    private static final Duration GRACE = Duration.ofSeconds(30);
    private static final Duration SAFETY_PASS = Duration.ofSeconds(60);
    private static final Logger log = LoggerFactory.getLogger("nodepool.builder.NodePoolBuilder");

    private final Loop loop = new Loop("builder", this::pass, bug -> log.error("Exception in builder", bug));
    private final BuilderOptions options;
    private final String hostname;
    private final Clock clock;
    private final Supplier<UUID> random;
    private final Map<String, String> environment;
    private final ConfigurationSource configuration;
    private final Stores stores;
    private final DriverRegistry drivers;
    private final EventListener events;
    private final List<Subscription> subscriptions = new ArrayList<>();
    private Optional<CompletionStage<ComponentRegistry.Own>> registration = Optional.empty();
    private volatile Optional<Workers> workers = Optional.empty();
    private String complaint = "";

    /** @param hostname fully qualified */
    Builder(
            BuilderOptions options,
            String hostname,
            Clock clock,
            Supplier<UUID> random,
            Map<String, String> environment,
            ConfigurationSource configuration,
            Stores stores,
            DriverRegistry drivers,
            EventListener events) {
        this.options = options;
        this.hostname = hostname;
        this.clock = clock;
        this.random = random;
        this.environment = environment;
        this.configuration = configuration;
        this.stores = stores;
        this.drivers = drivers;
        this.events = events;
    }

    /** The workers and what they share. */
    private record Workers(
            Identity identity,
            ImageProviders providers,
            BuildWorker builds,
            UploadWorker uploads,
            CleanupWorker cleanup) {

        void recordsChanged() {
            builds.wake();
            uploads.wake();
            cleanup.wake();
        }

        void configurationChanged() {
            providers.wake();
            recordsChanged();
        }
    }

    void start() {
        String shortName = hostname.split("\\.", 2)[0];
        registration = Optional.of(stores.components()
                .register(new Registration(
                        shortName, Registration.Kind.BUILDER, 0, "stopped", Optional.empty(), Optional.empty())));
        subscriptions.add(configuration.onChange(this::configurationChanged));
        subscriptions.add(drivers.onChange(this::configurationChanged));
        subscriptions.add(stores.snapshots().onChange(() -> workers.ifPresent(Workers::recordsChanged)));
        loop.wakeEvery(SAFETY_PASS);
        loop.wake();
    }

    /** Who it is; absent until its images directory was read. */
    Optional<Identity> identity() {
        return workers.map(Workers::identity);
    }

    private void configurationChanged() {
        loop.wake();
    }

    private void pass() {
        if (workers.isEmpty()) {
            workers = configuration.current().flatMap(this::identify).map(this::work);
        }
        workers.ifPresent(working -> {
            configuration.current().ifPresent(config -> warnOfOtherDirectory(working.identity, config));
            working.configurationChanged();
        });
    }

    /** Reads or makes the builder's id. Blocks this loop, on which nothing else can go on before that anyway. */
    private Optional<Identity> identify(Configuration config) {
        Optional<Path> directory = config.builder().imagesDir().map(Path::toAbsolutePath);
        if (directory.isEmpty()) {
            complain("No images-dir specified in config.");
            return Optional.empty();
        }
        try {
            Identity identity = new Identity(hostname, BuilderId.in(directory.get(), random), directory.get());
            new RunningCommands(directory.get().resolve(CommandRun.RUNNING)).endOrphans(GRACE);
            log.info("Builder id is {}", identity.id());
            return Optional.of(identity);
        } catch (IOException failure) {
            complain("Cannot work in images-dir " + directory.get() + ": " + failure);
            return Optional.empty();
        }
    }

    /** Every pass tries again; only what is new is said. */
    private void complain(String trouble) {
        if (!trouble.equals(complaint)) {
            complaint = trouble;
            log.error("{}", trouble);
        }
    }

    /** Builds and uploads under way know where their files are: the directory stays until the next start. */
    private void warnOfOtherDirectory(Identity identity, Configuration config) {
        config.builder()
                .imagesDir()
                .map(Path::toAbsolutePath)
                .filter(directory -> !directory.equals(identity.imagesDir()))
                .ifPresent(directory ->
                        complain("images-dir is now " + directory + " in the configuration; this builder uses "
                                + identity.imagesDir() + " until it is started again"));
    }

    private Workers work(Identity identity) {
        BuilderContext context = new BuilderContext(
                identity, stores, clock, random, new Installation(options.home(), options.fake()), environment, events);
        ImageProviders providers = new ImageProviders(
                context, configuration::current, drivers, () -> workers.ifPresent(Workers::recordsChanged));
        return new Workers(
                identity,
                providers,
                new BuildWorker(context, configuration::current, options.buildWorkers()),
                new UploadWorker(context, configuration::current, providers, new UploadSlots(options.uploadWorkers())),
                new CleanupWorker(context, configuration::current, providers));
    }

    /** Ends builds and uploads under way and withdraws the registration. Bounded; may be called once. */
    void stop() {
        subscriptions.forEach(Subscription::close);
        loop.close();
        workers.ifPresent(working -> {
            working.cleanup.stop();
            working.uploads.stop();
            working.builds.stop();
            working.providers.stop();
        });
        registration.ifPresent(made -> made.thenAccept(ComponentRegistry.Own::close));
    }
}
