package nodepool.builder;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Supplier;
import nodepool.api.config.Configuration;
import nodepool.api.config.ConfigurationSource;
import nodepool.api.registry.ComponentRegistry;
import nodepool.api.registry.Registration;
import nodepool.api.store.SnapshotSource.Subscription;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Registers a builder, in state {@code stopped} as builders always are, and knows its id. It neither builds nor uploads:
 * requests to build stay where they are, for a builder that does.
 */
final class Builder {

    private static final Logger log = LoggerFactory.getLogger("nodepool.builder");

    private final String hostname;
    private final Supplier<UUID> ids;
    private final ConfigurationSource configuration;
    private final ComponentRegistry components;
    private final Executor executor;
    private volatile Optional<String> id = Optional.empty();
    private volatile Subscription subscription = () -> {};
    private volatile Optional<CompletionStage<ComponentRegistry.Own>> registration = Optional.empty();
    private Optional<Path> lookedAt = Optional.empty();
    private boolean complained;

    /** @param executor one thread; what blocks for file I/O runs there */
    Builder(
            String hostname,
            Supplier<UUID> ids,
            ConfigurationSource configuration,
            ComponentRegistry components,
            Executor executor) {
        this.hostname = hostname;
        this.ids = ids;
        this.configuration = configuration;
        this.components = components;
        this.executor = executor;
    }

    void start() {
        log.warn("This version builds and uploads no images; build requests are left untouched for another builder");
        registration = Optional.of(components.register(new Registration(
                hostname, Registration.Kind.BUILDER, 0, "stopped", Optional.empty(), Optional.empty())));
        subscription = configuration.onChange(this::wake);
        wake();
    }

    void stop() {
        subscription.close();
        registration.ifPresent(made -> made.thenAccept(ComponentRegistry.Own::close));
    }

    /** Absent until the images directory was read. */
    Optional<String> id() {
        return id;
    }

    private void wake() {
        try {
            executor.execute(this::identify);
        } catch (RejectedExecutionException over) {
            log.debug("The builder has ended");
        }
    }

    /** On the executor's one thread. */
    private void identify() {
        Optional<Configuration> current = configuration.current();
        if (current.isEmpty() || id.isPresent()) {
            return;
        }
        Optional<Path> directory = current.get().builder().imagesDir();
        if (complained && directory.equals(lookedAt)) {
            return;
        }
        lookedAt = directory;
        if (directory.isEmpty()) {
            complained = true;
            log.warn("No images-dir specified in config: this builder has no id");
            return;
        }
        try {
            String known = BuilderId.in(directory.get(), ids);
            id = Optional.of(known);
            log.info("Builder id is {}", known);
        } catch (IOException failure) {
            complained = true;
            log.warn("Cannot keep a builder id in images-dir {}: {}", directory.get(), failure.toString());
        }
    }
}
