package nodepool.launcher;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.ServiceLoader;
import nodepool.api.config.Configuration;
import nodepool.api.config.ConfigurationReader;
import nodepool.api.config.ConfigurationSource;
import nodepool.api.config.Problem;
import nodepool.api.driver.Driver;
import nodepool.api.store.SnapshotSource.Subscription;

/** A configuration that a test sets as text, read as the daemon reads its file. Thread-safe. */
final class SettableConfiguration implements ConfigurationSource {

    private final List<Driver> drivers;
    private final Bell bell = new Bell();
    private volatile Optional<Configuration> current = Optional.empty();

    SettableConfiguration(List<Driver> drivers) {
        this.drivers = List.copyOf(drivers);
    }

    void set(String yaml) {
        current = Optional.of(read(yaml));
        bell.ring();
    }

    private Configuration read(String yaml) {
        ConfigurationReader reader =
                ServiceLoader.load(ConfigurationReader.class).findFirst().orElseThrow();
        try {
            Path file = Files.createTempFile("nodepool", ".yaml");
            try {
                Files.writeString(file, yaml);
                ConfigurationReader.Result result = reader.read(file, Optional.empty(), Map.of(), drivers);
                return result.configuration().orElseThrow(() -> new AssertionError(result.problems() + "\n" + yaml));
            } finally {
                Files.delete(file);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public Optional<Configuration> current() {
        return current;
    }

    @Override
    public List<Problem> problems() {
        return List.of();
    }

    @Override
    public Subscription onChange(Runnable wake) {
        return bell.onChange(wake);
    }
}
