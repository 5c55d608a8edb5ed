package nodepool.cli;

import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.ServiceLoader;
import nodepool.api.config.Configuration;
import nodepool.api.config.ConfigurationReader;
import nodepool.api.config.ZooKeeperConfig;
import nodepool.api.driver.Driver;
import nodepool.api.store.Snapshot;
import nodepool.api.store.Stores;

/** A connection of the terminal's own, opened when a command needs it. */
final class TerminalContext implements CommandContext, AutoCloseable {

    private final Path config;
    private final Optional<Path> secure;
    private Optional<Stores> stores = Optional.empty();

    TerminalContext(Path config, Optional<Path> secure) {
        this.config = config;
        this.secure = secure;
    }

    @Override
    public Stores stores() throws CommandException {
        if (stores.isEmpty()) {
            ConfigurationReader.Result result = readConfiguration();
            ZooKeeperConfig zookeeper = result.configuration()
                    .flatMap(Configuration::zookeeper)
                    .orElseThrow(
                            () -> new CommandException(1, config + " cannot be used; see nodepool config-validate"));
            stores = Optional.of(ServiceLoader.load(Stores.Connector.class)
                    .findFirst()
                    .orElseThrow()
                    .connect(zookeeper));
        }
        return stores.get();
    }

    @Override
    public Snapshot snapshot() throws CommandException {
        return Commands.await(stores().snapshots().next());
    }

    @Override
    public ConfigurationReader.Result readConfiguration() {
        List<Driver> drivers = new ArrayList<>();
        ServiceLoader.load(Driver.class).forEach(drivers::add);
        return ServiceLoader.load(ConfigurationReader.class)
                .findFirst()
                .orElseThrow()
                .read(config, secure, System.getenv(), drivers);
    }

    @Override
    public Clock clock() {
        return Clock.systemUTC();
    }

    @Override
    public void close() {
        stores.ifPresent(Stores::close);
    }
}
