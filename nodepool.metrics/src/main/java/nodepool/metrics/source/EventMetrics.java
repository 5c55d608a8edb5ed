package nodepool.metrics.source;

import java.time.Clock;
import java.time.Duration;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import nodepool.api.driver.CloudException;
import nodepool.api.event.Event;
import nodepool.api.event.EventListener;
import nodepool.api.verdict.Verdict;
import nodepool.metrics.Catalogue;
import nodepool.metrics.Meter;

/** Measures what events tell. Thread-safe; returns at once. */
public final class EventMetrics implements EventListener {

    private final Meter meter;
    private final Clock clock;
    private final OwnPools pools;
    private final OwnBuilder builder;
    private final Map<String, Duration> booted = new ConcurrentHashMap<>();

    /**
     * @param pools told of the pools of this process
     * @param builder told of what the builder of this process does
     */
    public EventMetrics(Meter meter, Clock clock, OwnPools pools, OwnBuilder builder) {
        this.meter = meter;
        this.clock = clock;
        this.pools = pools;
        this.builder = builder;
    }

    @Override
    public void on(Event event) {
        if (event instanceof Event.PoolPassed pass) {
            pools.seen(pass.provider());
            meter.time(Catalogue.POOL_PASS, pass.took(), Map.of("provider", pass.provider(), "pool", pass.pool()));
        } else if (event instanceof Event.CloudCalled call) {
            cloudCalled(call);
        } else if (event instanceof Event.ApiCalled call) {
            apiCalled(call);
        } else if (event instanceof Event.Judged judged) {
            judged(judged);
        } else if (event instanceof Event.RequestChanged changed) {
            meter.count(
                    Catalogue.REQUESTS_ENDED,
                    1,
                    Map.of(
                            "provider", changed.provider(),
                            "pool", changed.pool(),
                            "state", changed.state().wireName()));
        } else if (event instanceof Event.LeakRemoved leak) {
            leakRemoved(leak);
        } else if (event instanceof Event.ProviderChanged changed) {
            meter.gauge(
                    Catalogue.PROVIDER_TROUBLE,
                    changed.trouble().isPresent() ? 1 : 0,
                    Map.of("provider", changed.provider()));
        } else {
            launching(event);
            images(event);
        }
    }

    private void judged(Event.Judged judged) {
        String answer = judged.verdict().getClass().getSimpleName().toLowerCase(Locale.ROOT);
        meter.count(
                Catalogue.VERDICTS,
                1,
                Map.of(
                        "provider", judged.provider(),
                        "pool", judged.pool(),
                        "answer", answer,
                        "code", code(judged.verdict())));
    }

    private static String code(Verdict verdict) {
        if (verdict instanceof Verdict.Defer defer) {
            return defer.until().code().name();
        }
        return verdict instanceof Verdict.Decline decline
                ? decline.because().code().name()
                : "";
    }

    private void cloudCalled(Event.CloudCalled call) {
        String result =
                call.fault().map(CloudException.Fault::name).orElse("ok").toLowerCase(Locale.ROOT);
        meter.time(
                Catalogue.CLOUD_CALL,
                call.took(),
                Map.of("provider", call.provider(), "call", call.call(), "result", result));
    }

    private void apiCalled(Event.ApiCalled call) {
        String status =
                call.status().isPresent() ? Integer.toString(call.status().getAsInt()) : "failed";
        meter.time(
                Catalogue.API_CALL,
                call.took(),
                Map.of(
                        "provider", call.provider(),
                        "service", call.service(),
                        "method", call.method(),
                        "operation", call.operation(),
                        "status", status,
                        "task", TaskName.of(call.service(), call.method(), call.operation())));
    }

    private void leakRemoved(Event.LeakRemoved leak) {
        meter.count(Catalogue.LEAKED, 1, Map.of("provider", leak.provider(), "kind", leak.kind()));
        if (leak.kind().equals("ports")) {
            meter.count(Catalogue.DOWN_PORTS, 1, Map.of("provider", leak.provider()));
        }
    }

    private void launching(Event event) {
        if (event instanceof Event.LaunchEnded launch) {
            meter.time(Catalogue.LAUNCH, launch.took(), launchFields(launch));
        } else if (event instanceof Event.MachineUp up) {
            booted.put(up.nodeId(), up.took());
            phase("booting", up.provider(), up.pool(), up.label(), up.took());
        } else if (event instanceof Event.NodeReady ready) {
            Optional.ofNullable(booted.remove(ready.nodeId()))
                    .ifPresent(boot -> phase(
                            "scanning",
                            ready.provider(),
                            ready.pool(),
                            ready.label(),
                            ready.took().minus(boot)));
        } else if (event instanceof Event.LaunchFailed failed) {
            booted.remove(failed.nodeId());
            if (!failed.last()) {
                meter.count(
                        Catalogue.LAUNCH_RETRIES,
                        1,
                        Map.of("provider", failed.provider(), "pool", failed.pool(), "label", failed.label()));
            }
        }
    }

    private static Map<String, String> launchFields(Event.LaunchEnded launch) {
        Map<String, String> fields = new HashMap<>();
        fields.put("provider", launch.provider());
        fields.put("pool", launch.pool());
        fields.put("label", launch.label());
        fields.put("result", launch.result());
        launch.zone().ifPresent(zone -> fields.put("az", zone));
        launch.image().ifPresent(image -> fields.put("image", image));
        launch.requestor().ifPresent(requestor -> fields.put("requestor", requestor));
        return fields;
    }

    private void phase(String phase, String provider, String pool, String label, Duration took) {
        meter.time(
                Catalogue.LAUNCH_PHASE,
                took,
                Map.of("provider", provider, "pool", pool, "label", label, "phase", phase));
    }

    private void images(Event event) {
        if (event instanceof Event.Building now) {
            builder.builds(now);
        } else if (event instanceof Event.Uploading now) {
            builder.uploads(now);
        } else if (event instanceof Event.BuildEnded build) {
            Map<String, String> image = Map.of("image", build.image());
            build.status().ifPresent(status -> meter.gauge(Catalogue.BUILD_STATUS, status, image));
            meter.time(Catalogue.BUILD_TIME, build.took(), image);
            meter.gauge(Catalogue.LAST_BUILD, (double) clock.instant().getEpochSecond(), image);
            build.sizes()
                    .forEach((format, bytes) -> meter.gauge(
                            Catalogue.IMAGE_SIZE, (double) bytes, Map.of("image", build.image(), "format", format)));
        } else if (event instanceof Event.UploadEnded upload) {
            Map<String, String> fields = Map.of("image", upload.image(), "provider", upload.provider());
            if (upload.ready()) {
                meter.time(Catalogue.IMAGE_UPDATE, upload.took(), fields);
            } else {
                meter.count(Catalogue.UPLOAD_FAILURES, 1, fields);
            }
        }
    }
}
