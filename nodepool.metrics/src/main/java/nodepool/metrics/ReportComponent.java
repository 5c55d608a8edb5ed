package nodepool.metrics;

import java.time.Clock;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import nodepool.api.config.ConfigurationSource;
import nodepool.api.store.SnapshotSource.Subscription;
import nodepool.api.store.Stores;
import nodepool.metrics.source.GaugeReporter;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Deactivate;
import org.osgi.service.component.annotations.Reference;

/** Measures the shared state while there is a connection to it. Wires; decides nothing. */
@Component(
        service = {},
        immediate = true)
public final class ReportComponent {

    private final GaugeReporter reporter;
    private final Subscription configured;

    @Activate
    public ReportComponent(
            @Reference MetricsComponent metrics,
            @Reference ConfigurationSource configuration,
            @Reference Stores stores) {
        ScheduledExecutorService thread = Executors.newSingleThreadScheduledExecutor(task -> {
            Thread made = new Thread(task, "metrics");
            made.setDaemon(true);
            return made;
        });
        this.configured = configuration.onChange(() -> follow(metrics, configuration));
        follow(metrics, configuration);
        this.reporter = new GaugeReporter(
                metrics.meter(),
                Clock.systemUTC(),
                thread,
                metrics.pools(),
                metrics.builder(),
                configuration,
                stores.snapshots());
    }

    private static void follow(MetricsComponent metrics, ConfigurationSource configuration) {
        configuration.current().ifPresent(now -> metrics.escapeDots(now.compat().escapeDots()));
    }

    @Deactivate
    void stop() {
        configured.close();
        reporter.close();
    }
}
