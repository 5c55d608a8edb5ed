package nodepool.config;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import nodepool.api.config.Configuration;
import nodepool.api.config.ConfigurationSource;
import nodepool.api.config.Problem;
import nodepool.api.driver.Driver;
import nodepool.api.store.SnapshotSource.Subscription;
import org.osgi.framework.Bundle;
import org.osgi.framework.BundleContext;
import org.osgi.framework.Constants;
import org.osgi.framework.FrameworkEvent;
import org.osgi.framework.FrameworkListener;
import org.osgi.framework.FrameworkUtil;
import org.osgi.framework.ServiceRegistration;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Deactivate;
import org.osgi.service.component.annotations.Reference;
import org.osgi.service.component.annotations.ReferenceCardinality;
import org.osgi.service.component.annotations.ReferencePolicy;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Offers the configuration that the framework properties {@code nodepool.config} and {@code nodepool.secure} name, and
 * has it read again on the signal HUP. A program that starts with files it cannot use is ended, unless {@code
 * nodepool.wait-for-config} is {@code true}. Drivers bring their own schemas, hence the dynamic reference.
 */
@Component(service = ConfigurationSource.class, immediate = true)
public final class ConfigurationComponent implements ConfigurationSource {

    private static final Logger log = LoggerFactory.getLogger("nodepool.Config");

    private static final Path DEFAULT = Path.of("/etc/nodepool/nodepool.yaml");

    /** Framework property. */
    private static final String PATIENT = "nodepool.wait-for-config";

    private final BundleContext context;
    private final List<Runnable> ends;
    private final FileConfigurationSource source;
    private final Optional<FileWatch> watch;
    private final ServiceRegistration<Runnable> hangUp;
    private final FrameworkListener whenStarted = this::heard;

    /** @param ends how this program is ended as failed */
    @Activate
    public ConfigurationComponent(
            BundleContext context,
            @Reference(target = "(nodepool.action=fail)", cardinality = ReferenceCardinality.MULTIPLE)
                    List<Runnable> ends) {
        this.context = context;
        this.ends = ends;
        Path config = path(context, "nodepool.config").orElse(DEFAULT);
        Optional<Path> secure = path(context, "nodepool.secure");
        this.source = new FileConfigurationSource(new YamlConfigurationReader(), config, secure, System.getenv());
        this.watch = watch(Stream.concat(Stream.of(config), secure.stream()).toList());
        source.read();
        this.hangUp = context.registerService(
                Runnable.class, this::hangUp, FrameworkUtil.asDictionary(Map.of("nodepool.signal", "HUP")));
        context.addFrameworkListener(whenStarted);
        if (programIs(Bundle.ACTIVE)) {
            started();
        }
    }

    private static Optional<Path> path(BundleContext context, String property) {
        return Optional.ofNullable(context.getProperty(property))
                .filter(text -> !text.isBlank())
                .map(text -> text.startsWith("~/") ? System.getProperty("user.home") + text.substring(1) : text)
                .map(text -> Path.of(text).toAbsolutePath());
    }

    private Optional<FileWatch> watch(List<Path> files) {
        try {
            return Optional.of(FileWatch.start(files, System::nanoTime, source::read));
        } catch (IOException e) {
            log.warn("Changes of {} are not noticed: {}", files, e.toString());
            return Optional.empty();
        }
    }

    private void heard(FrameworkEvent event) {
        if (event.getType() == FrameworkEvent.STARTED) {
            started();
        }
    }

    private void started() {
        boolean patient = Boolean.parseBoolean(context.getProperty(PATIENT));
        if (!source.started() && !patient) {
            log.error("Ending: the configuration is to be repaired first ({}=true waits for that)", PATIENT);
            ends.forEach(Runnable::run);
        }
    }

    private void hangUp() {
        log.info("Reading the configuration again");
        source.read();
    }

    @Reference(policy = ReferencePolicy.DYNAMIC, cardinality = ReferenceCardinality.MULTIPLE)
    void addDriver(Driver driver) {
        source.add(driver);
    }

    /** While the program stops, drivers go one after the other: that is no change of the configuration. */
    void removeDriver(Driver driver) {
        if (programIs(Bundle.ACTIVE) || programIs(Bundle.STARTING)) {
            source.remove(driver);
        }
    }

    private boolean programIs(int state) {
        return context.getBundle(Constants.SYSTEM_BUNDLE_LOCATION).getState() == state;
    }

    @Override
    public Optional<Configuration> current() {
        return source.current();
    }

    @Override
    public List<Problem> problems() {
        return source.problems();
    }

    @Override
    public Subscription onChange(Runnable wake) {
        return source.onChange(wake);
    }

    @Deactivate
    void stop() {
        hangUp.unregister();
        context.removeFrameworkListener(whenStarted);
        watch.ifPresent(FileWatch::close);
    }
}
