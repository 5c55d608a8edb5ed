package nodepool.metrics.source;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import nodepool.api.config.Configuration;
import nodepool.api.config.DiskImage;
import nodepool.api.driver.ProviderConfig;
import nodepool.api.driver.WantedImages;
import nodepool.api.event.Event;
import nodepool.api.store.Snapshot;
import nodepool.metrics.Catalogue;
import nodepool.metrics.Metric;

/** What the builder of this process does, if there is one. Thread-safe. */
public final class OwnBuilder {

    private static final double IDLE = 0;
    private static final double BUILDING = 1;
    private static final double UPLOADING = 2;
    private static final double PAUSED = 3;

    private volatile Optional<Event.Building> building = Optional.empty();
    private volatile Optional<Event.Uploading> uploading = Optional.empty();

    void builds(Event.Building now) {
        building = Optional.of(now);
    }

    void uploads(Event.Uploading now) {
        uploading = Optional.of(now);
    }

    /** Every value of every metric of a builder; none if no builder has shown itself. */
    Map<Metric, Map<Map<String, String>, Double>> gauges(Configuration configuration, Snapshot snapshot) {
        Map<Metric, Map<Map<String, String>, Double>> all = new HashMap<>();
        building.ifPresent(now -> {
            Map<String, String> host = Map.of("hostname", now.hostname());
            all.put(Catalogue.CURRENT_BUILDS, Map.of(host, (double) now.images().size()));
            all.put(Catalogue.BUILD_WORKERS, Map.of(host, (double) now.workers()));
            all.put(Catalogue.BUILD_STATE, buildStates(now, configuration, snapshot));
        });
        uploading.ifPresent(now -> {
            Map<String, String> host = Map.of("hostname", now.hostname());
            all.put(Catalogue.CURRENT_UPLOADS, Map.of(host, (double)
                    now.routes().size()));
            all.put(Catalogue.UPLOAD_WORKERS, Map.of(host, (double) now.workers()));
            all.put(Catalogue.UPLOAD_STATE, uploadStates(now, configuration, snapshot));
        });
        return all;
    }

    private static Map<Map<String, String>, Double> buildStates(
            Event.Building now, Configuration configuration, Snapshot snapshot) {
        Map<Map<String, String>, Double> states = new HashMap<>();
        for (DiskImage image : configuration.diskImages().values()) {
            double state = now.images().contains(image.name()) ? BUILDING : IDLE;
            boolean paused = image.paused() || snapshot.isPaused(image.name());
            states.put(Map.of("hostname", now.hostname(), "image", image.name()), paused ? PAUSED : state);
        }
        return states;
    }

    private static Map<Map<String, String>, Double> uploadStates(
            Event.Uploading now, Configuration configuration, Snapshot snapshot) {
        Map<Map<String, String>, Double> states = new HashMap<>();
        configuration
                .providers()
                .forEach(provider -> provider.config()
                        .flatMap(ProviderConfig::wantedImages)
                        .ifPresent(wanted -> wanted.entries()
                                .forEach(entry -> states.put(
                                        Map.of(
                                                "hostname", now.hostname(),
                                                "image", entry.image(),
                                                "provider", provider.name()),
                                        uploadState(now, entry, provider.name(), snapshot)))));
        return states;
    }

    private static double uploadState(
            Event.Uploading now, WantedImages.Entry entry, String provider, Snapshot snapshot) {
        if (entry.paused() || snapshot.isPaused(entry.image())) {
            return PAUSED;
        }
        return snapshot.builds(entry.image()).stream()
                        .anyMatch(build -> now.routes().contains(new Event.Uploading.Route(build.id(), provider)))
                ? UPLOADING
                : IDLE;
    }
}
