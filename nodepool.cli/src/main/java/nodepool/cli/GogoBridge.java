package nodepool.cli;

import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Dictionary;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import nodepool.api.command.Command;
import nodepool.api.config.Configuration;
import nodepool.api.config.ConfigurationReader;
import nodepool.api.config.ConfigurationSource;
import nodepool.api.driver.Driver;
import nodepool.api.plan.ChangePlanner;
import nodepool.api.store.Stores;
import nodepool.cli.verb.CommandContext;
import nodepool.cli.verb.VerbCommand;
import nodepool.cli.verb.Verbs;
import org.apache.felix.service.command.Function;
import org.osgi.framework.BundleContext;
import org.osgi.framework.FrameworkUtil;
import org.osgi.framework.ServiceRegistration;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Deactivate;
import org.osgi.service.component.annotations.Reference;
import org.osgi.service.component.annotations.ReferenceCardinality;
import org.osgi.service.component.annotations.ReferencePolicy;

/** Offers our commands, and those of any other bundle, in the Gogo shell. Bundles come and go, hence the dynamic reference. */
@Component(
        service = {},
        immediate = true)
public final class GogoBridge {

    private final BundleContext bundle;
    private final Map<Command, ServiceRegistration<Function>> offered = new ConcurrentHashMap<>();
    private final Collection<Driver> drivers = new CopyOnWriteArrayList<>();
    private final Collection<ChangePlanner> planners = new CopyOnWriteArrayList<>();

    @Activate
    public GogoBridge(
            BundleContext bundle,
            @Reference ConfigurationSource configuration,
            @Reference ConfigurationReader reader,
            @Reference Stores stores) {
        this.bundle = bundle;
        Optional<Path> secure =
                Optional.ofNullable(bundle.getProperty("nodepool.secure")).map(Path::of);
        CommandContext context = new ServiceContext(configuration, reader, secure, stores, drivers, planners);
        Verbs.ofShell().forEach(verb -> addCommand(new VerbCommand(verb, context)));
    }

    @Reference(policy = ReferencePolicy.DYNAMIC, cardinality = ReferenceCardinality.MULTIPLE)
    void addCommand(Command command) {
        Dictionary<String, Object> properties = FrameworkUtil.asDictionary(
                Map.of("osgi.command.scope", "nodepool", "osgi.command.function", command.name()));
        Function function = (session, arguments) -> {
            List<String> words = new ArrayList<>();
            arguments.forEach(one -> words.add(String.valueOf(one)));
            PrintWriter out = new PrintWriter(session.getConsole(), true, StandardCharsets.UTF_8);
            int code = command.run(words, out, out);
            out.flush();
            return code == 0 ? null : "exit code " + code;
        };
        offered.put(command, bundle.registerService(Function.class, function, properties));
    }

    @Reference(policy = ReferencePolicy.DYNAMIC, cardinality = ReferenceCardinality.MULTIPLE)
    void addDriver(Driver driver) {
        drivers.add(driver);
    }

    void removeDriver(Driver driver) {
        drivers.remove(driver);
    }

    @Reference(policy = ReferencePolicy.DYNAMIC, cardinality = ReferenceCardinality.MULTIPLE)
    void addPlanner(ChangePlanner planner) {
        planners.add(planner);
    }

    void removePlanner(ChangePlanner planner) {
        planners.remove(planner);
    }

    void removeCommand(Command command) {
        ServiceRegistration<Function> registration = offered.remove(command);
        if (registration != null) {
            registration.unregister();
        }
    }

    /** Afterwards the commands of other bundles are taken away one by one; each is withdrawn once. */
    @Deactivate
    void stop() {
        List.copyOf(offered.keySet()).forEach(this::removeCommand);
    }

    /** The services of this framework. */
    private record ServiceContext(
            ConfigurationSource source,
            ConfigurationReader reader,
            Optional<Path> secure,
            Stores shared,
            Collection<Driver> drivers,
            Collection<ChangePlanner> planners)
            implements CommandContext {

        @Override
        public Stores stores() {
            return shared;
        }

        @Override
        public String whereStoresAre() {
            return "ZooKeeper (" + shared.snapshots().status().detail() + ")";
        }

        @Override
        public Duration patience() {
            return Duration.ofSeconds(10);
        }

        @Override
        public Optional<Configuration> configuration() {
            return source.current();
        }

        @Override
        public ConfigurationReader.Result validate() {
            return new ConfigurationReader.Result(source.current(), source.problems());
        }

        @Override
        public Optional<String> bundleOf(Driver driver) {
            return Optional.ofNullable(FrameworkUtil.getBundle(driver.getClass()))
                    .map(bundle -> bundle.getSymbolicName() + " " + bundle.getVersion());
        }

        @Override
        public ConfigurationReader.Result read(Path other) {
            return reader.read(other, secure, System.getenv(), drivers);
        }

        @Override
        public String configurationName() {
            return "configuration in force";
        }

        @Override
        public Clock clock() {
            return Clock.systemUTC();
        }
    }
}
