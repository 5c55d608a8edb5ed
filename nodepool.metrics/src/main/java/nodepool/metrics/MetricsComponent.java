package nodepool.metrics;

import java.time.Clock;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import nodepool.api.event.Event;
import nodepool.api.event.EventListener;
import nodepool.api.monitor.MetricsText;
import nodepool.metrics.prometheus.Exposition;
import nodepool.metrics.prometheus.Readings;
import nodepool.metrics.source.EventMetrics;
import nodepool.metrics.source.OwnBuilder;
import nodepool.metrics.source.OwnPools;
import nodepool.metrics.statsd.StatsdAddress;
import nodepool.metrics.statsd.StatsdSender;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Deactivate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Keeps the values as long as the bundle runs, and hears of events. Wires; decides nothing. */
@Component(
        service = {EventListener.class, MetricsText.class, MetricsComponent.class},
        immediate = true)
public final class MetricsComponent implements EventListener, MetricsText {

    private static final Logger log = LoggerFactory.getLogger("nodepool.stats");

    private final Optional<StatsdSender> statsd;
    private final AtomicBoolean escapeDots = new AtomicBoolean();
    private final OwnPools pools = new OwnPools();
    private final OwnBuilder builder = new OwnBuilder();
    private final Exposition exposition;
    private final Meter meter;
    private final EventMetrics events;

    /** With the environment of this process. */
    @Activate
    public MetricsComponent() {
        this.statsd = address().map(address -> new StatsdSender(address, System::nanoTime));
        Readings readings = new Readings();
        this.exposition = new Exposition(Catalogue.ALL, readings);
        this.meter = new Meter(readings, statsd, escapeDots::get);
        this.events = new EventMetrics(meter, Clock.systemUTC(), pools, builder);
        statsd.ifPresent(StatsdSender::start);
    }

    private static Optional<StatsdAddress> address() {
        try {
            return StatsdAddress.of(System.getenv());
        } catch (IllegalArgumentException unusable) {
            log.warn("No metrics are sent to statsd: {}", unusable.getMessage());
            return Optional.empty();
        }
    }

    @Override
    public void on(Event event) {
        events.on(event);
    }

    Meter meter() {
        return meter;
    }

    OwnPools pools() {
        return pools;
    }

    OwnBuilder builder() {
        return builder;
    }

    /** Whether dots in fields become underscores in names of statsd. */
    void escapeDots(boolean escape) {
        escapeDots.set(escape);
    }

    @Override
    public String text() {
        statsd.ifPresent(sender -> meter.gauge(Catalogue.STATSD_DROPPED, (double) sender.dropped(), Map.of()));
        return exposition.text();
    }

    @Deactivate
    void stop() {
        statsd.ifPresent(StatsdSender::close);
    }
}
