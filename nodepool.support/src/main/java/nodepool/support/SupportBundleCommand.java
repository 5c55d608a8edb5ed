package nodepool.support;

import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import nodepool.api.command.Command;
import nodepool.api.monitor.MetricsText;
import nodepool.api.store.Stores;
import org.osgi.framework.BundleContext;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;

/** {@code support-bundle FILE}: writes what somebody who helps needs to see. */
@Component(property = Command.NAME + "=support-bundle")
public final class SupportBundleCommand implements Command {

    private final BundleContext context;
    private final HealthBoard health;
    private final Stores stores;
    private final MetricsText metrics;

    @Activate
    public SupportBundleCommand(
            BundleContext context,
            @Reference HealthBoard health,
            @Reference Stores stores,
            @Reference MetricsText metrics) {
        this.context = context;
        this.health = health;
        this.stores = stores;
        this.metrics = metrics;
    }

    @Override
    public String name() {
        return "support-bundle";
    }

    @Override
    public String summary() {
        return "write versions, configuration without secrets, state, health, metrics and threads to a new zip file";
    }

    @Override
    public int run(List<String> arguments, PrintWriter out, PrintWriter err) {
        if (arguments.size() != 1 || arguments.get(0).startsWith("-")) {
            err.println("usage: support-bundle FILE");
            return 2;
        }
        Path file = Path.of(arguments.get(0));
        try (OutputStream to = Files.newOutputStream(
                Files.createFile(
                        file, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"))),
                StandardOpenOption.WRITE)) {
            bundle().write(to);
        } catch (IOException e) {
            err.println("Cannot write " + file + ": " + e);
            return 1;
        }
        out.println("Written: " + file.toAbsolutePath());
        return 0;
    }

    private SupportBundle bundle() {
        return new SupportBundle()
                .with("versions.txt", () -> ProcessText.versions(context))
                .with(
                        "health.txt",
                        () -> health.all().stream()
                                .map(one -> HealthCommand.line(one) + "\n")
                                .collect(Collectors.joining()))
                .with("configuration.yaml", this::configuration)
                .with(
                        "state.txt",
                        () -> stores.snapshots().current().map(StateText::of).orElse("ZooKeeper is out of reach\n"))
                .with(
                        "verdicts.txt",
                        () -> stores.snapshots()
                                .current()
                                .map(snapshot -> VerdictText.of(snapshot, stores.accounts()))
                                .orElse("ZooKeeper is out of reach\n"))
                .with(
                        "log.txt",
                        () -> Optional.ofNullable(context.getProperty("nodepool.log.file"))
                                .map(file -> RecentLog.of(Path.of(file)))
                                .orElse("no file of this process\n"))
                .with("metrics.txt", metrics::text)
                .with("threads.txt", ProcessText::threads);
    }

    private String configuration() {
        return Optional.ofNullable(context.getProperty("nodepool.config"))
                .map(SupportBundleCommand::read)
                .map(PublicYaml::of)
                .orElse("no file\n");
    }

    private static String read(String file) {
        try {
            return Files.readString(Path.of(file));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
