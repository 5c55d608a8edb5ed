package nodepool.cli;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.ServiceLoader;
import nodepool.api.config.Configuration;
import nodepool.api.config.ConfigurationReader;
import nodepool.api.config.Problem;
import nodepool.api.config.ZooKeeperConfig;
import nodepool.api.driver.Driver;
import nodepool.api.plan.ChangePlanner;
import nodepool.api.store.Stores;
import nodepool.cli.verb.CommandContext;
import nodepool.cli.verb.CommandException;
import nodepool.cli.verb.Waiting;

/** A connection of the terminal's own, opened when a command needs it. For one thread. */
final class TerminalContext implements CommandContext, AutoCloseable {

    private final Path config;
    private final Optional<Path> secure;
    private final Duration patience;
    private final Surroundings surroundings;
    private Optional<ConfigurationReader.Result> read = Optional.empty();
    private Optional<Stores> stores = Optional.empty();

    TerminalContext(Path config, Optional<Path> secure, Duration patience, Surroundings surroundings) {
        this.config = config;
        this.secure = secure;
        this.patience = patience;
        this.surroundings = surroundings;
    }

    @Override
    public Stores stores() throws CommandException {
        if (stores.isEmpty()) {
            Stores connecting = connect(zookeeper());
            stores = Optional.of(connecting);
            await(connecting.snapshots().next());
        }
        return stores.get();
    }

    private static Stores connect(ZooKeeperConfig zookeeper) throws CommandException {
        try {
            return ServiceLoader.load(Stores.Connector.class)
                    .findFirst()
                    .orElseThrow()
                    .connect(zookeeper);
        } catch (IllegalArgumentException e) {
            throw CommandException.failed("ZooKeeper: " + e.getMessage());
        }
    }

    private ZooKeeperConfig zookeeper() throws CommandException {
        ConfigurationReader.Result result = withoutDrivers();
        if (result.configuration().isEmpty()) {
            String why = result.problems().stream()
                    .filter(problem -> problem.severity() == Problem.Severity.ERROR)
                    .findFirst()
                    .map(problem -> problem.at() + ": " + problem.message())
                    .orElse(config + " cannot be used");
            throw CommandException.failed(why + " (for all that is wrong: nodepool config-validate)");
        }
        return result.configuration()
                .flatMap(Configuration::zookeeper)
                .orElseThrow(() -> CommandException.failed(config + " names no zookeeper-servers"));
    }

    @Override
    public String whereStoresAre() {
        return "ZooKeeper"
                + configuration()
                        .flatMap(Configuration::zookeeper)
                        .map(zookeeper -> " at " + zookeeper.connectString())
                        .orElse("");
    }

    @Override
    public Duration patience() {
        return patience;
    }

    /** Mistakes in what only drivers read must not keep anybody from looking at the nodes. */
    private ConfigurationReader.Result withoutDrivers() {
        ConfigurationReader.Result result = read.orElseGet(() -> read(List.of()));
        read = Optional.of(result);
        return result;
    }

    @Override
    public Optional<Configuration> configuration() {
        return withoutDrivers().configuration();
    }

    @Override
    public ConfigurationReader.Result validate() {
        return read(drivers());
    }

    @Override
    public ConfigurationReader.Result read(Path other) {
        return read(other, drivers());
    }

    @Override
    public Collection<ChangePlanner> planners() {
        List<ChangePlanner> planners = new ArrayList<>();
        ServiceLoader.load(ChangePlanner.class).forEach(planners::add);
        return planners;
    }

    @Override
    public Collection<Driver> drivers() {
        List<Driver> drivers = new ArrayList<>();
        ServiceLoader.load(Driver.class).forEach(drivers::add);
        return drivers;
    }

    private ConfigurationReader.Result read(Collection<Driver> drivers) {
        return read(config, drivers);
    }

    private ConfigurationReader.Result read(Path file, Collection<Driver> drivers) {
        return ServiceLoader.load(ConfigurationReader.class)
                .findFirst()
                .orElseThrow()
                .read(file, secure, System.getenv(), drivers);
    }

    @Override
    public String configurationName() {
        return config.toString();
    }

    @Override
    public Clock clock() {
        return surroundings.clock();
    }

    @Override
    public boolean drawsOnTerminal() {
        return surroundings.drawsOnTerminal();
    }

    @Override
    public Waiting waiting(String what) {
        return surroundings.tellsOnTerminal() ? TerminalWaiting.begin(what, surroundings.err()) : Waiting.SILENT;
    }

    @Override
    public Optional<String> readLine() {
        try {
            return Optional.ofNullable(surroundings.in().readLine());
        } catch (IOException unreadable) {
            return Optional.empty();
        }
    }

    @Override
    public void close() {
        stores.ifPresent(Stores::close);
    }
}
