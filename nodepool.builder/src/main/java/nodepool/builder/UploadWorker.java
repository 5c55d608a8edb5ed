package nodepool.builder;

import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import nodepool.api.config.Configuration;
import nodepool.api.driver.ProviderConfig;
import nodepool.api.driver.WantedImages;
import nodepool.api.event.Event;
import nodepool.api.image.ImageBuild;
import nodepool.api.store.Snapshot;
import nodepool.builder.decision.ImageFacts;
import nodepool.builder.decision.LocalBuild;
import nodepool.builder.decision.Retries;
import nodepool.builder.decision.UploadSlots;
import nodepool.builder.decision.UploadWish;
import nodepool.builder.dib.ImageDirectory;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Uploads what is built and lies here to every provider that lacks it. Each upload has a thread of its own, so that none waits
 * for another provider's.
 */
final class UploadWorker {

    private static final Logger log = LoggerFactory.getLogger("nodepool.builder.UploadWorker");

    private final Loop loop = new Loop("UploadWorker", this::pass, bug -> log.error("Exception in upload worker", bug));
    private final BuilderContext context;
    private final Supplier<Optional<Configuration>> configuration;
    private final ImageProviders providers;
    private final UploadSlots slots;
    private final ExecutorService threads = Executors.newCachedThreadPool(DaemonThreads.named("UploadWorker"));
    private final Retries<ImageFacts.Route> retries = Retries.ofUploads();
    private final Map<ImageFacts.Route, String> running = new HashMap<>();
    private boolean stopping;

    UploadWorker(
            BuilderContext context,
            Supplier<Optional<Configuration>> configuration,
            ImageProviders providers,
            UploadSlots slots) {
        this.context = context;
        this.configuration = configuration;
        this.providers = providers;
        this.slots = slots;
    }

    /** Something has changed. Returns at once. */
    void wake() {
        loop.wake();
    }

    /** Reads the names in the images directory, on its own thread. */
    private void pass() {
        Optional<Configuration> config = configuration.get();
        Optional<Snapshot> snapshot = context.stores().snapshots().current();
        if (config.isEmpty() || snapshot.isEmpty() || stopping) {
            return;
        }
        Map<String, Set<String>> here = filesHere();
        Instant now = context.clock().instant();
        Optional<Instant> next = wanting(config.get()).entrySet().stream()
                .filter(entry -> providers.isInService(entry.getKey()))
                .flatMap(entry -> UploadWish.of(
                        entry.getKey(),
                        entry.getValue(),
                        image -> Optional.ofNullable(config.get().diskImages().get(image)),
                        image -> ImageFacts.of(image, snapshot.get(), Set.of(entry.getKey())),
                        build -> here.getOrDefault(key(build.image(), build.id()), Set.of()))
                        .stream())
                .flatMap(wish -> consider(wish, now))
                .min(Instant::compareTo);
        next.ifPresentOrElse(due -> loop.wakeIn(Duration.between(now, due)), loop::silence);
        Set<Event.Uploading.Route> routes = running.keySet().stream()
                .map(route -> new Event.Uploading.Route(route.buildId(), route.provider()))
                .collect(Collectors.toSet());
        context.events().on(new Event.Uploading(context.identity().hostname(), slots.shared(), routes));
    }

    private static Map<String, WantedImages> wanting(Configuration config) {
        Map<String, WantedImages> wanting = new LinkedHashMap<>();
        config.providers()
                .forEach(entry -> entry.config()
                        .flatMap(ProviderConfig::wantedImages)
                        .ifPresent(wanted -> wanting.put(entry.name(), wanted)));
        return wanting;
    }

    private Map<String, Set<String>> filesHere() {
        Map<String, Set<String>> here = new HashMap<>();
        try {
            for (LocalBuild build : new ImageDirectory(context.identity().imagesDir()).builds()) {
                here.put(key(build.image(), build.id()), build.formats());
            }
        } catch (IOException unreadable) {
            log.warn("Cannot list images-dir: {}", unreadable.toString());
        }
        return here;
    }

    private static String key(String image, String buildId) {
        return image + "-" + buildId;
    }

    /** Begins the upload if it may; otherwise tells when to look again, if time alone can change that. */
    private Stream<Instant> consider(UploadWish wish, Instant now) {
        ImageFacts.Route route = wish.route();
        if (running.containsKey(route)) {
            return Stream.empty();
        }
        Optional<Instant> wait = retries.notBefore(route, wish, now);
        if (wait.isEmpty() && slots.allow(wish.provider(), running.values())) {
            providers.lease(wish.provider()).ifPresent(lease -> begin(wish, lease));
        }
        return wait.stream();
    }

    private void begin(UploadWish wish, ProviderGeneration.Lease lease) {
        running.put(wish.route(), wish.provider());
        threads.execute(() -> {
            UploadRun.Outcome outcome = UploadRun.Outcome.FAILED;
            try (lease) {
                outcome = new UploadRun(context, wish, lease.images()).run();
            } catch (RuntimeException failure) {
                ImageBuild build = wish.build();
                log.warn("Could not upload {} to {}: {}", build.image(), wish.provider(), failure.toString());
            } finally {
                UploadRun.Outcome ended = outcome;
                loop.execute(() -> ended(wish, ended));
            }
        });
    }

    private void ended(UploadWish wish, UploadRun.Outcome outcome) {
        running.remove(wish.route());
        switch (outcome) {
            case READY -> retries.forget(wish.route());
            case FAILED -> {
                Duration wait =
                        retries.failed(wish.route(), wish, context.clock().instant());
                log.info(
                        "Image {} is uploaded to {} again in {} s",
                        wish.build().image(),
                        wish.provider(),
                        wait.toSeconds());
            }
            case NOT_NEEDED -> log.debug("{} needs no upload any more", wish.route());
        }
        loop.wake();
    }

    /** Ends uploads under way. Returns at once: what they leave behind is cleaned up by whoever finds it. */
    void stop() {
        loop.execute(() -> {
            stopping = true;
            threads.shutdownNow();
            loop.close();
        });
    }
}
