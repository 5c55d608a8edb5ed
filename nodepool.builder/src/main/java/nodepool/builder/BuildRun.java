package nodepool.builder;

import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import nodepool.api.config.Configuration;
import nodepool.api.event.Event;
import nodepool.api.image.ImageBuild;
import nodepool.api.image.ImageLogin;
import nodepool.api.image.ImageState;
import nodepool.api.json.Stored;
import nodepool.api.store.HeldLock;
import nodepool.api.store.ImageStore;
import nodepool.builder.decision.BuildDecision;
import nodepool.builder.decision.BuildWish;
import nodepool.builder.decision.ImageFacts;
import nodepool.builder.dib.ImageDirectory;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One build, from taking the image's lock to giving it back. Blocks for as long as the build takes. */
final class BuildRun {

    /** How it ended. */
    enum Outcome {
        READY,
        FAILED,
        /** Someone else builds it, or has built it meanwhile. */
        NOT_NEEDED
    }

    private static final ImageLogin NO_LOGIN = new ImageLogin(Optional.empty(), Optional.empty(), Optional.empty());
    private static final Logger log = LoggerFactory.getLogger("nodepool.builder.BuildWorker");

    private final BuilderContext context;
    private final BuildWish wish;
    private final CommandRun command;
    private final ImageDirectory files;
    private final ImageStore images;
    private final String name;

    BuildRun(BuilderContext context, BuildWish wish, Configuration.Builder settings) {
        this.context = context;
        this.wish = wish;
        this.files = new ImageDirectory(context.identity().imagesDir());
        this.command = new CommandRun(context, wish, settings, files);
        this.images = context.stores().images();
        this.name = wish.image().name();
    }

    Outcome run() {
        Optional<HeldLock> lock = Answer.of(images.tryLockBuilds(name));
        if (lock.isEmpty()) {
            return Outcome.NOT_NEEDED;
        }
        try {
            Optional<BuildDecision.Cause> cause = decideAgain();
            return cause.isPresent() ? build(lock.get(), cause.get()) : Outcome.NOT_NEEDED;
        } finally {
            Answer.of(images.unlock(lock.get()));
        }
    }

    /** Whoever held the lock before may have built it; all that was done under it is in the snapshot by now. */
    private Optional<BuildDecision.Cause> decideAgain() {
        return context.stores()
                .snapshots()
                .current()
                .map(now -> ImageFacts.of(name, now, Set.of()).unlocked())
                .map(facts -> BuildDecision.of(wish, facts, context.clock().instant()))
                .flatMap(decision ->
                        decision instanceof BuildDecision.Build build ? Optional.of(build.cause()) : Optional.empty());
    }

    private Outcome build(HeldLock lock, BuildDecision.Cause cause) {
        Optional<Instant> request = Answer.of(context.stores().imageMarks().requestedAt(name));
        String id = context.random().get().toString().replace("-", "");
        log.info("Building image {} as {}: {}", name, id, cause);
        Answer.of(images.create(record(id, ImageState.BUILDING, List.copyOf(wish.formats()), NO_LOGIN), lock));
        Instant start = context.clock().instant();
        CommandRun.Result result = command.run(id);
        Optional<String> problem = result.problem();
        if (problem.isEmpty() && !lock.isHeld()) {
            problem = Optional.of("the ZooKeeper session was lost during the build, and the image's lock with it");
        }
        ImageBuild ended = problem.isEmpty()
                ? record(
                        id,
                        ImageState.READY,
                        List.copyOf(wish.formats()),
                        wish.image().login())
                : record(id, ImageState.FAILED, List.of(), wish.image().login())
                        .because(problem.get() + "; log: " + command.log(id));
        boolean ready = isStored(ended, lock) && problem.isEmpty();
        context.events()
                .on(new Event.BuildEnded(
                        name,
                        id,
                        ready,
                        result.status(),
                        Duration.between(start, context.clock().instant()),
                        ready ? sizes(id) : Map.of()));
        if (!ready) {
            deleteFiles(id);
            log.warn(
                    "Build {} of image {} failed: {}; its log is {}",
                    id,
                    name,
                    problem.orElse("its record is gone, or the ZooKeeper session is"),
                    command.log(id));
            return Outcome.FAILED;
        }
        log.info("Image {} is built as {}, formats {}", name, id, wish.formats());
        request.ifPresent(this::fulfil);
        return Outcome.READY;
    }

    private Map<String, Long> sizes(String id) {
        Map<String, Long> sizes = new TreeMap<>();
        for (String format : wish.formats()) {
            try {
                sizes.put(format, ImageDirectory.allocated(files.file(name, id, format)));
            } catch (IOException gone) {
                log.debug("No size of {} in format {}", id, format, gone);
            }
        }
        return sizes;
    }

    private ImageBuild record(String id, ImageState state, List<String> formats, ImageLogin login) {
        return new ImageBuild(
                name,
                id,
                state,
                context.clock().instant(),
                Optional.of(context.identity().hostname()),
                Optional.of(context.identity().id()),
                formats,
                login,
                Stored.NEVER);
    }

    /** Whatever goes wrong here: no record tells of the files, so that nobody else would remove them. */
    private boolean isStored(ImageBuild ended, HeldLock lock) {
        try {
            return Answer.of(images.write(ended, lock)).isPresent();
        } catch (RuntimeException lost) {
            log.debug("The end of build {} could not be stored", ended.id(), lost);
            return false;
        }
    }

    private void deleteFiles(String id) {
        try {
            files.delete(name, id);
        } catch (IOException failure) {
            log.warn("Could not delete the files of failed build {}: {}", id, failure.toString());
        }
    }

    /** A request made after this build had begun asks for another one. */
    private void fulfil(Instant request) {
        boolean same = Answer.of(context.stores().imageMarks().requestedAt(name))
                .filter(request::equals)
                .isPresent();
        if (same) {
            Answer.of(context.stores().imageMarks().fulfilBuild(name));
        }
    }
}
