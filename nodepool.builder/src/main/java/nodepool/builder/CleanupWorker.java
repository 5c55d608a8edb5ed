package nodepool.builder;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import nodepool.api.config.Configuration;
import nodepool.api.driver.ProviderConfig;
import nodepool.api.store.Snapshot;
import nodepool.builder.decision.ImageFacts;
import nodepool.builder.decision.Retries;
import nodepool.builder.decision.Withdrawal;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Withdraws builds, uploads and files that are not needed any more, and what dead builders have left half done. What is done
 * in a cloud is done on threads of that provider, so that none waits for another.
 */
final class CleanupWorker {

    private static final Duration PERIOD = Duration.ofSeconds(60);
    private static final Logger log = LoggerFactory.getLogger("nodepool.builder.CleanupWorker");
    private static final String RECORDS = "records";
    private static final String FILES = "files";
    /** What others leave without data when they lock it after it was removed. */
    private static final Set<String> EMPTIED = Set.of("build", "upload");

    private final Loop loop =
            new Loop("CleanupWorker", this::pass, bug -> log.error("Exception in cleanup worker", bug));
    private final BuilderContext context;
    private final Supplier<Optional<Configuration>> configuration;
    private final UploadWithdrawal uploads;
    private final BuildWithdrawal builds;
    private final FileCleanup files;
    private final Map<String, ExecutorService> threads = new HashMap<>();
    private final Retries<String> retries = new Retries<>(List.of(
            Duration.ofSeconds(1),
            Duration.ofSeconds(5),
            Duration.ofSeconds(10),
            Duration.ofSeconds(30),
            Duration.ofSeconds(60)));
    private final Set<String> underWay = new HashSet<>();
    private boolean lookAtFilesAgain;
    private boolean stopping;

    CleanupWorker(BuilderContext context, Supplier<Optional<Configuration>> configuration, ImageProviders providers) {
        this.context = context;
        this.configuration = configuration;
        this.uploads = new UploadWithdrawal(context, providers);
        this.builds = new BuildWithdrawal(context);
        this.files = new FileCleanup(context);
        loop.wakeEvery(PERIOD);
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
        List<Instant> due = new ArrayList<>();
        for (String image : snapshot.get().images()) {
            Map<String, Boolean> listed = listed(image, config.get());
            ImageFacts facts = ImageFacts.of(image, snapshot.get(), listed.keySet());
            boolean configured = config.get().diskImages().containsKey(image);
            for (Withdrawal withdrawal : Withdrawal.of(facts, configured, listed)) {
                begin(withdrawal, now).ifPresent(due::add);
            }
        }
        for (Snapshot.Malformed entry : snapshot.get().malformed()) {
            if (entry.empty() && EMPTIED.contains(entry.kind())) {
                begin("empty " + entry.path(), RECORDS, now, () -> removeEmpty(entry))
                        .ifPresent(due::add);
            }
        }
        due.stream()
                .min(Instant::compareTo)
                .ifPresentOrElse(next -> loop.wakeIn(Duration.between(now, next)), loop::silence);
        lookAtFiles(config.get(), snapshot.get());
    }

    /** For each configured provider that manages images, whether it lists that one. */
    static Map<String, Boolean> listed(String image, Configuration config) {
        Map<String, Boolean> listed = new LinkedHashMap<>();
        config.providers()
                .forEach(entry -> entry.config()
                        .flatMap(ProviderConfig::wantedImages)
                        .ifPresent(wanted ->
                                listed.put(entry.name(), wanted.entry(image).isPresent())));
        return listed;
    }

    private Optional<Instant> begin(Withdrawal withdrawal, Instant now) {
        if (withdrawal instanceof Withdrawal.OfUpload of) {
            return begin("upload " + of.upload().path(), of.upload().provider(), now, () -> uploads.run(of.upload()));
        }
        if (withdrawal instanceof Withdrawal.OfBuild of) {
            return begin("build " + of.build().id(), RECORDS, now, () -> builds.mark(of.build()));
        }
        if (withdrawal instanceof Withdrawal.OfBuildRecord of) {
            return begin("record " + of.build().id(), RECORDS, now, () -> builds.forget(of.build()));
        }
        String image = ((Withdrawal.OfImage) withdrawal).image();
        return begin("image " + image, RECORDS, now, () -> removeImage(image));
    }

    private Progress removeEmpty(Snapshot.Malformed entry) {
        return Answer.of(context.stores().images().removeEmpty(entry)) ? Progress.CHANGED : Progress.LATER;
    }

    private Progress removeImage(String image) {
        return Answer.of(context.stores().images().removeImage(image)) ? Progress.CHANGED : Progress.LATER;
    }

    /** Begins a step unless it is under way or has to wait; tells when to look again in that case. */
    private Optional<Instant> begin(String key, String whose, Instant now, Supplier<Progress> step) {
        Optional<Instant> wait = retries.notBefore(key, key, now);
        if (wait.isEmpty() && underWay.add(key)) {
            threadsOf(whose).execute(() -> {
                Progress progress = Progress.LATER;
                try {
                    progress = step.get();
                } catch (RuntimeException failure) {
                    log.warn("Withdrawal of {} failed: {}", key, failure.toString());
                } finally {
                    Progress made = progress;
                    loop.execute(() -> ended(key, made));
                }
            });
        }
        return wait;
    }

    private void ended(String key, Progress progress) {
        underWay.remove(key);
        switch (progress) {
            case CHANGED -> {
                retries.forget(key);
                loop.wake();
            }
            case STALE -> retries.forget(key);
            case LATER -> {
                retries.failed(key, key, context.clock().instant());
                loop.wake();
            }
        }
    }

    private void lookAtFiles(Configuration config, Snapshot snapshot) {
        if (!underWay.add(FILES)) {
            lookAtFilesAgain = true;
            return;
        }
        threadsOf(FILES).execute(() -> {
            try {
                files.run(config, snapshot);
            } catch (RuntimeException failure) {
                log.warn("Clean-up of files failed: {}", failure.toString());
            } finally {
                loop.execute(this::lookedAtFiles);
            }
        });
    }

    private void lookedAtFiles() {
        underWay.remove(FILES);
        if (lookAtFilesAgain) {
            lookAtFilesAgain = false;
            loop.wake();
        }
    }

    private Executor threadsOf(String whose) {
        return threads.computeIfAbsent(whose, name -> {
            ThreadPoolExecutor made = new ThreadPoolExecutor(
                    2, 2, 30, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), DaemonThreads.named("cleanup-" + name));
            made.allowCoreThreadTimeOut(true);
            return made;
        });
    }

    /** Ends after the steps under way. Returns at once. */
    void stop() {
        loop.execute(() -> {
            stopping = true;
            threads.values().forEach(ExecutorService::shutdown);
            loop.close();
        });
    }
}
