package nodepool.builder;

import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.stream.Stream;
import nodepool.api.config.Configuration;
import nodepool.api.event.Event;
import nodepool.api.store.Snapshot;
import nodepool.builder.decision.BuildDecision;
import nodepool.builder.decision.BuildWish;
import nodepool.builder.decision.ImageFacts;
import nodepool.builder.decision.Retries;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Builds images, a few at a time, whenever the records, the configuration or the time give a reason to. */
final class BuildWorker {

    /** A new request, or another configuration, ends the wait after a failure. */
    private record Circumstances(BuildWish wish, boolean requested) {}

    private record Due(BuildWish wish, Circumstances circumstances) {}

    private static final Duration STOP_LIMIT = Duration.ofSeconds(25);
    private static final Logger log = LoggerFactory.getLogger("nodepool.builder.BuildWorker");

    private final Loop loop = new Loop("BuildWorker", this::pass, bug -> log.error("Exception in build worker", bug));
    private final BuilderContext context;
    private final Supplier<Optional<Configuration>> configuration;
    private final int workers;
    private final ExecutorService threads;
    private final Retries<String> retries = Retries.ofBuilds();
    private final Set<String> running = new HashSet<>();
    private boolean stopping;

    /** @param workers builds at the same time */
    BuildWorker(BuilderContext context, Supplier<Optional<Configuration>> configuration, int workers) {
        this.context = context;
        this.configuration = configuration;
        this.workers = workers;
        this.threads = Executors.newCachedThreadPool(DaemonThreads.named("BuildWorker"));
    }

    /** Something has changed. Returns at once. */
    void wake() {
        loop.wake();
    }

    private void pass() {
        Optional<Configuration> config = configuration.get();
        Optional<Snapshot> snapshot = context.stores().snapshots().current();
        if (config.isEmpty() || snapshot.isEmpty() || stopping) {
            return;
        }
        Instant now = context.clock().instant();
        List<BuildWish> wishes = BuildWish.of(config.get()).stream()
                .filter(wish -> !running.contains(wish.image().name()))
                .sorted(Comparator.comparing(
                        wish -> !snapshot.get().isBuildRequested(wish.image().name())))
                .toList();
        Optional<Instant> next = wishes.stream()
                .flatMap(wish -> consider(wish, snapshot.get(), config.get(), now))
                .min(Comparator.naturalOrder());
        next.ifPresentOrElse(due -> loop.wakeIn(Duration.between(now, due)), loop::silence);
        context.events().on(new Event.Building(context.identity().hostname(), workers, running));
    }

    /** Begins the build if it is due; otherwise tells when to look again, if time alone can change that. */
    private Stream<Instant> consider(BuildWish wish, Snapshot snapshot, Configuration config, Instant now) {
        String image = wish.image().name();
        BuildDecision decision = BuildDecision.of(wish, ImageFacts.of(image, snapshot, Set.of()), now);
        if (decision instanceof BuildDecision.Rest rest) {
            return rest.until().stream();
        }
        Circumstances circumstances = new Circumstances(wish, snapshot.isBuildRequested(image));
        Optional<Instant> wait = retries.notBefore(image, circumstances, now);
        if (wait.isEmpty() && running.size() < workers) {
            begin(new Due(wish, circumstances), config);
        }
        return wait.stream();
    }

    private void begin(Due due, Configuration config) {
        running.add(due.wish.image().name());
        threads.execute(() -> {
            BuildRun.Outcome outcome = BuildRun.Outcome.FAILED;
            try {
                outcome = new BuildRun(context, due.wish, config.builder()).run();
            } catch (RuntimeException failure) {
                log.warn("Could not build image {}: {}", due.wish.image().name(), failure.toString());
            } finally {
                BuildRun.Outcome ended = outcome;
                loop.execute(() -> ended(due, ended));
            }
        });
    }

    private void ended(Due due, BuildRun.Outcome outcome) {
        String image = due.wish.image().name();
        running.remove(image);
        switch (outcome) {
            case READY -> retries.forget(image);
            case FAILED -> {
                Duration wait =
                        retries.failed(image, due.circumstances, context.clock().instant());
                log.info("Image {} is built again in {} s", image, wait.toSeconds());
            }
            case NOT_NEEDED -> log.debug("Image {} needs no build any more", image);
        }
        loop.wake();
    }

    /** Ends builds under way, orderly as far as a bounded time allows. */
    void stop() {
        loop.execute(() -> {
            stopping = true;
            threads.shutdownNow();
            loop.close();
        });
        try {
            if (!threads.awaitTermination(STOP_LIMIT.toSeconds(), TimeUnit.SECONDS)) {
                log.warn("A build did not end within {} s", STOP_LIMIT.toSeconds());
            }
        } catch (InterruptedException stop) {
            Thread.currentThread().interrupt();
        }
    }
}
