package nodepool.builder;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import nodepool.api.config.Configuration;
import nodepool.api.config.DiskImage;
import nodepool.builder.decision.BuildWish;
import nodepool.builder.dib.BuildLogs;
import nodepool.builder.dib.ImageCommand;
import nodepool.builder.dib.ImageDirectory;
import nodepool.builder.dib.ProcessGroup;
import nodepool.builder.dib.ProgramNotFoundException;
import nodepool.builder.dib.RunningCommands;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Runs the image command of one build and looks at what it leaves. Blocks until it has ended; an interrupt ends it. */
final class CommandRun {

    /** In the images directory: what is running. */
    static final String RUNNING = ".running";

    /** For the command to unmount and tidy up, when it took too long. */
    private static final Duration GRACE = Duration.ofSeconds(30);
    /** The same when the builder stops, which is bounded itself. */
    private static final Duration GRACE_AT_STOP = Duration.ofSeconds(20);

    /** The status that is told of a command that took too long. */
    private static final int TIMED_OUT = 1;

    private static final Logger log = LoggerFactory.getLogger("nodepool.builder.BuildWorker");

    private final BuilderContext context;
    private final BuildWish wish;
    private final Configuration.Builder settings;
    private final ImageDirectory files;
    private final BuildLogs logs;

    CommandRun(BuilderContext context, BuildWish wish, Configuration.Builder settings, ImageDirectory files) {
        this.context = context;
        this.wish = wish;
        this.settings = settings;
        this.files = files;
        this.logs = new BuildLogs(settings.buildLogDir(), settings.buildLogRetention());
    }

    /** Where the log of that build is. */
    Path log(String buildId) {
        return logs.file(wish.image().name(), buildId);
    }

    /**
     * How the command has ended.
     *
     * @param status if it came to an end by itself; 1 if it took too long
     * @param problem what went wrong, in words; absent if the image is there in every format
     */
    record Result(OptionalInt status, Optional<String> problem) {}

    Result run(String buildId) {
        try {
            logs.prepare(wish.image().name());
            return run(buildId, command(buildId));
        } catch (ProgramNotFoundException configured) {
            return new Result(OptionalInt.empty(), noted(buildId, configured.reason()));
        } catch (IOException local) {
            return new Result(OptionalInt.empty(), noted(buildId, local.toString()));
        }
    }

    private ImageCommand command(String buildId) throws ProgramNotFoundException {
        return ImageCommand.of(
                wish.image(),
                wish.formats(),
                files.output(wish.image().name(), buildId),
                settings.elementsDir(),
                context.environment(),
                context.installation());
    }

    private Result run(String buildId, ImageCommand command) throws IOException {
        DiskImage image = wish.image();
        log.info("Running {}", command);
        RunningCommands running = new RunningCommands(files.path().resolve(RUNNING));
        String entry = image.name() + "-" + buildId;
        ProcessGroup group = running.start(entry, command.words(), command.environment(), log(buildId));
        try {
            return outcome(buildId, group.await(image.buildTimeout()), group);
        } catch (InterruptedException stop) {
            group.end(GRACE_AT_STOP);
            Optional<String> problem = noted(buildId, "Build ended because the builder stops");
            Thread.currentThread().interrupt();
            return new Result(OptionalInt.empty(), problem);
        } catch (IOException failure) {
            group.end(GRACE);
            throw failure;
        } finally {
            running.forget(entry);
        }
    }

    private Result outcome(String buildId, Optional<Integer> status, ProcessGroup group) throws IOException {
        if (status.isEmpty()) {
            group.end(GRACE);
            return new Result(
                    OptionalInt.of(TIMED_OUT),
                    noted(
                            buildId,
                            "Build timed out after "
                                    + wish.image().buildTimeout().toSeconds() + " seconds"));
        }
        BuildLogs.append(log(buildId), "Exit code: " + status.get());
        return new Result(
                OptionalInt.of(status.get()),
                status.get() == 0
                        ? incomplete(buildId)
                        : Optional.of("the image command ended with exit code " + status.get()));
    }

    private Optional<String> incomplete(String buildId) {
        List<String> missing = files.missing(wish.image().name(), buildId, wish.formats());
        return missing.isEmpty()
                ? Optional.empty()
                : noted(buildId, "the image command succeeded, but left no file in format " + missing);
    }

    /** The reason stands at the end of the build's log too. */
    private Optional<String> noted(String buildId, String problem) {
        try {
            BuildLogs.append(log(buildId), problem);
        } catch (IOException unwritable) {
            log.debug("Could not write the log of build {}", buildId, unwritable);
        }
        return Optional.of(problem);
    }
}
