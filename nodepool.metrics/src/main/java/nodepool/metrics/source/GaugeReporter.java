package nodepool.metrics.source;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import nodepool.api.config.Configuration;
import nodepool.api.config.ConfigurationSource;
import nodepool.api.store.Snapshot;
import nodepool.api.store.SnapshotSource;
import nodepool.api.store.SnapshotSource.Subscription;
import nodepool.metrics.Catalogue;
import nodepool.metrics.Meter;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Measures what stands in the shared state and the configuration: after every change of the former, at most once a second,
 * and every 10 s. All work is on its one thread.
 */
public final class GaugeReporter implements AutoCloseable {

    private static final Duration BETWEEN_CHANGES = Duration.ofSeconds(1);
    private static final Duration REFRESH = Duration.ofSeconds(10);
    private static final Logger log = LoggerFactory.getLogger("nodepool.StatsWorker");

    private final Meter meter;
    private final Clock clock;
    private final ScheduledExecutorService thread;
    private final OwnPools own;
    private final OwnBuilder builder;
    private final ConfigurationSource configuration;
    private final SnapshotSource snapshots;
    private final PhaseTimes phases;
    private final AtomicBoolean due = new AtomicBoolean();
    private final Subscription changes;
    private long reported = -1;

    /** @param thread a single one; this object ends it */
    public GaugeReporter(
            Meter meter,
            Clock clock,
            ScheduledExecutorService thread,
            OwnPools own,
            OwnBuilder builder,
            ConfigurationSource configuration,
            SnapshotSource snapshots) {
        this.meter = meter;
        this.clock = clock;
        this.thread = thread;
        this.own = own;
        this.builder = builder;
        this.configuration = configuration;
        this.snapshots = snapshots;
        this.phases = new PhaseTimes(meter);
        this.changes = snapshots.onChange(this::changed);
        thread.scheduleAtFixedRate(() -> guarded(this::refresh), 0, REFRESH.toMillis(), TimeUnit.MILLISECONDS);
    }

    /** On the store's event thread: any number of changes within a second cost one report. */
    private void changed() {
        if (due.compareAndSet(false, true)) {
            try {
                thread.schedule(() -> guarded(this::afterChange), BETWEEN_CHANGES.toMillis(), TimeUnit.MILLISECONDS);
            } catch (RejectedExecutionException closed) {
                log.debug("A change after the end");
            }
        }
    }

    private void afterChange() {
        due.set(false);
        if (snapshots.current().filter(now -> now.number() != reported).isPresent()) {
            reportNodes();
        }
    }

    private void refresh() {
        reportNodes();
        configuration.current().ifPresent(this::reportConfiguration);
    }

    private void reportNodes() {
        Optional<Snapshot> current = snapshots.current();
        if (current.isEmpty()) {
            phases.forget();
            return;
        }
        Snapshot snapshot = current.get();
        reported = snapshot.number();
        if (own.any()) {
            Instant now = clock.instant();
            new InstallationGauges(snapshot, now).all().forEach(meter::gauges);
            phases.look(snapshot, now);
        }
    }

    private void reportConfiguration(Configuration current) {
        if (own.any()) {
            meter.gauges(Catalogue.MAX_SERVERS, LimitGauges.maxServers(current, own));
            meter.gauges(Catalogue.TENANT_LIMIT, LimitGauges.tenants(current));
        }
        snapshots.current().ifPresent(snapshot -> {
            builder.gauges(current, snapshot).forEach(meter::gauges);
            Map<Map<String, String>, Double> requests = ImageGauges.requestsByImage(snapshot, current);
            meter.gauges(Catalogue.ONE_IMAGE_BUILD_REQUESTS, requests);
            double all =
                    requests.values().stream().mapToDouble(Double::doubleValue).sum();
            meter.gauges(Catalogue.IMAGE_BUILD_REQUESTS, Map.of(Map.of(), all));
        });
    }

    /** The edge of the loop: a failure is told, and the next report comes all the same. */
    private static void guarded(Runnable report) {
        try {
            report.run();
        } catch (RuntimeException bug) {
            log.error("Cannot report", bug);
        }
    }

    @Override
    public void close() {
        changes.close();
        thread.shutdownNow();
    }
}
