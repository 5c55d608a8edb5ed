package nodepool.config;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import nodepool.api.config.Configuration;
import nodepool.api.config.ConfigurationReader;
import nodepool.api.config.ConfigurationReader.Result;
import nodepool.api.config.ConfigurationSource;
import nodepool.api.config.Problem;
import nodepool.api.driver.Driver;
import nodepool.api.store.SnapshotSource.Subscription;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The configuration in force: swaps the value whole whenever the files or the set of drivers have changed. Files that
 * cannot be used change nothing but {@link #problems()}. While the program starts, drivers come one after the other: until
 * then nothing is said of entries whose driver is not here.
 */
final class FileConfigurationSource implements ConfigurationSource {

    private static final Logger log = LoggerFactory.getLogger("nodepool.Config");

    private final ConfigurationReader reader;
    private final Path config;
    private final Optional<Path> secure;
    private final Map<String, String> environment;
    private final List<Driver> drivers = new CopyOnWriteArrayList<>();
    private final List<Runnable> wakes = new CopyOnWriteArrayList<>();
    private volatile Optional<Configuration> current = Optional.empty();
    private volatile List<Problem> problems = List.of();
    private List<Problem> told = List.of();
    private boolean broken;
    private boolean started;

    FileConfigurationSource(
            ConfigurationReader reader, Path config, Optional<Path> secure, Map<String, String> environment) {
        this.reader = reader;
        this.config = config;
        this.secure = secure;
        this.environment = environment;
    }

    void add(Driver driver) {
        drivers.add(driver);
        read();
    }

    void remove(Driver driver) {
        drivers.remove(driver);
        read();
    }

    /**
     * The program is up: whichever driver is not here now is missing.
     *
     * @return whether the files can be used
     */
    boolean started() {
        synchronized (this) {
            started = true;
        }
        return read();
    }

    /**
     * Reads the files again.
     *
     * @return whether they can be used
     */
    boolean read() {
        boolean usable;
        synchronized (this) {
            Result result = reader.read(config, secure, environment, drivers);
            usable = result.configuration().isPresent();
            problems = result.problems();
            boolean news = tell(result.problems());
            if (!usable) {
                if (news) {
                    log.error("{} cannot be used; {}", config, meanwhile());
                }
            } else if (!result.configuration().equals(current)) {
                if (started || current.isEmpty()) {
                    log.info("Configuration {} is in force", config);
                }
                current = result.configuration();
            } else if (broken) {
                log.info("Configuration {} is as it was, and stays in force", config);
            }
            broken = !usable;
        }
        wakes.forEach(Runnable::run);
        return usable;
    }

    private String meanwhile() {
        return current.isPresent() ? "the running configuration stays" : "there is no other to work with";
    }

    /** Says each problem once, while it lasts; whether there was anything new to say. */
    private boolean tell(List<Problem> found) {
        List<Problem> now = found.stream()
                .filter(problem -> started || !ProviderEntries.isUnknownDriver(problem))
                .toList();
        now.stream().filter(problem -> !told.contains(problem)).forEach(FileConfigurationSource::tell);
        boolean news = !now.equals(told);
        told = now;
        return news;
    }

    private static void tell(Problem problem) {
        String where = problem.path().isEmpty() ? "" : problem.path() + ": ";
        String text = problem.at() + ": " + where + problem.message();
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
}
