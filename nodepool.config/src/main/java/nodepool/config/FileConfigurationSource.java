package nodepool.config;

import java.io.IOException;
import java.nio.file.ClosedWatchServiceException;
import java.nio.file.FileSystems;
import java.nio.file.Path;
import java.nio.file.StandardWatchEventKinds;
import java.nio.file.WatchKey;
import java.nio.file.WatchService;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import nodepool.api.config.Configuration;
import nodepool.api.config.ConfigurationReader;
import nodepool.api.config.ConfigurationReader.Result;
import nodepool.api.config.ConfigurationSource;
import nodepool.api.config.Problem;
import nodepool.api.driver.Driver;
import nodepool.api.store.SnapshotSource.Subscription;
import org.osgi.framework.BundleContext;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Deactivate;
import org.osgi.service.component.annotations.Reference;
import org.osgi.service.component.annotations.ReferenceCardinality;
import org.osgi.service.component.annotations.ReferencePolicy;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The configuration in force: reads the files when they or the set of drivers change, and swaps the value whole. A file that
 * cannot be used changes nothing but {@link #problems()}. Drivers bring their own schemas, hence the dynamic reference.
 */
@Component(service = ConfigurationSource.class, immediate = true)
public final class FileConfigurationSource implements ConfigurationSource {

    private static final Logger log = LoggerFactory.getLogger("nodepool.Config");

    private final ConfigurationReader reader = new YamlConfigurationReader();
    private final Optional<Path> config;
    private final Optional<Path> secure;
    private final Optional<WatchService> watching;
    private final List<Driver> drivers = new CopyOnWriteArrayList<>();
    private final List<Runnable> wakes = new CopyOnWriteArrayList<>();
    private volatile Optional<Configuration> current = Optional.empty();
    private volatile List<Problem> problems = List.of();
    private boolean active;

    @Activate
    public FileConfigurationSource(BundleContext context) {
        this.config = path(context, "nodepool.config");
        this.secure = path(context, "nodepool.secure");
        this.watching = watch();
        active = true;
        read();
    }

    private static Optional<Path> path(BundleContext context, String property) {
        return Optional.ofNullable(context.getProperty(property))
                .filter(text -> !text.isBlank())
                .map(text -> text.startsWith("~/") ? System.getProperty("user.home") + text.substring(1) : text)
                .map(text -> Path.of(text).toAbsolutePath());
    }

    /** One thread waits for changes in the files' folders; editors replace files, so the folders are watched. */
    private Optional<WatchService> watch() {
        if (config.isEmpty()) {
            log.error("No configuration: the framework property nodepool.config is not set");
            return Optional.empty();
        }
        try {
            WatchService service = FileSystems.getDefault().newWatchService();
            for (Optional<Path> file : List.of(config, secure)) {
                Path folder = file.map(Path::getParent).orElse(null);
                if (folder != null) {
                    folder.register(
                            service,
                            StandardWatchEventKinds.ENTRY_CREATE,
                            StandardWatchEventKinds.ENTRY_MODIFY,
                            StandardWatchEventKinds.ENTRY_DELETE);
                }
            }
            Thread thread = new Thread(() -> follow(service), "configuration");
            thread.setDaemon(true);
            thread.start();
            return Optional.of(service);
        } catch (IOException e) {
            log.warn("Changes of {} are not noticed: {}", config.get(), e.getMessage());
            return Optional.empty();
        }
    }

    private void follow(WatchService service) {
        try {
            while (true) {
                WatchKey key = service.take();
                key.pollEvents();
                read();
                key.reset();
            }
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        } catch (ClosedWatchServiceException stopped) {
            log.debug("No longer watching the configuration");
        }
    }

    @Reference(policy = ReferencePolicy.DYNAMIC, cardinality = ReferenceCardinality.MULTIPLE)
    void addDriver(Driver driver) {
        drivers.add(driver);
        read();
    }

    void removeDriver(Driver driver) {
        drivers.remove(driver);
        read();
    }

    private void read() {
        synchronized (this) {
            if (!active || config.isEmpty()) {
                return;
            }
            Result result = reader.read(config.get(), secure, System.getenv(), drivers);
            boolean news = !result.problems().equals(problems);
            if (news) {
                result.problems().forEach(FileConfigurationSource::tell);
            }
            problems = result.problems();
            if (result.configuration().isPresent() && !result.configuration().equals(current)) {
                log.info("Configuration {} is in force", config.get());
                current = result.configuration();
            } else if (news && result.configuration().isEmpty()) {
                log.error(
                        "{} cannot be used; {}",
                        config.get(),
                        current.isPresent() ? "the running configuration stays" : "waiting for it to be repaired");
            }
        }
        wakes.forEach(Runnable::run);
    }

    private static void tell(Problem problem) {
        String text = problem.at() + ": " + problem.path() + ": " + problem.message();
        switch (problem.severity()) {
            case ERROR -> log.error(text);
            case UNKNOWN_KEY, WARNING -> log.warn(text);
            case NOTICE -> log.debug(text);
        }
    }

    @Override
    public Optional<Configuration> current() {
        return current;
    }

    @Override
    public List<Problem> problems() {
        return problems;
    }

    @Override
    public Subscription onChange(Runnable wake) {
        wakes.add(wake);
        return () -> wakes.remove(wake);
    }

    @Deactivate
    void stop() {
        synchronized (this) {
            active = false;
        }
        watching.ifPresent(service -> {
            try {
                service.close();
            } catch (IOException e) {
                log.debug("Could not stop watching", e);
            }
        });
    }
}
