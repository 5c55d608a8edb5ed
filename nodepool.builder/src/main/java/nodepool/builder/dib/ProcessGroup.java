package nodepool.builder.dib;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A command with everything it starts, in a session of its own, so that all of it can be ended. Its output goes straight
 * into a file: what outlives the command holds nobody up, and what outlives this process is not broken by it.
 */
public final class ProcessGroup {

    private static final Duration REAPING = Duration.ofSeconds(2);
    private static final Duration LOOK = Duration.ofSeconds(1);
    private static final Logger log = LoggerFactory.getLogger("nodepool.builder.dib");

    private final Process leader;

    private ProcessGroup(Process leader) {
        this.leader = leader;
    }

    /**
     * Starts a command.
     *
     * @param output appended to
     */
    public static ProcessGroup start(List<String> words, Map<String, String> environment, Path output)
            throws IOException {
        List<String> inSession = new ArrayList<>();
        inSession.add("setsid");
        inSession.addAll(words);
        ProcessBuilder builder = new ProcessBuilder(inSession)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(output.toFile()));
        builder.redirectInput(ProcessBuilder.Redirect.INHERIT);
        builder.environment().clear();
        builder.environment().putAll(environment);
        return new ProcessGroup(builder.start());
    }

    /**
     * Waits for the first process to end.
     *
     * @return its status, 128 and the signal's number if a signal ended it; absent if it is still running after that time
     */
    public Optional<Integer> await(Duration limit) throws InterruptedException {
        return leader.waitFor(limit.toMillis(), TimeUnit.MILLISECONDS)
                ? Optional.of(leader.exitValue())
                : Optional.empty();
    }

    /**
     * Ends all of it: at first only the first process is asked to, so that it can tidy up with its children still there, then
     * these are asked; what is left after that is killed.
     *
     * @param grace for the first process to tidy up
     */
    public void end(Duration grace) {
        end(leader.toHandle(), grace);
    }

    /** Like {@link #end(Duration)}, for a command that another run of this program has started. */
    public static void end(ProcessHandle leader, Duration grace) {
        List<ProcessHandle> started = leader.descendants().toList();
        leader.destroy();
        if (!awaitEnd(leader, grace)) {
            log.warn("Process {} did not end within {} s and is killed", leader.pid(), grace.toSeconds());
        }
        signal("TERM", leader.pid());
        started.forEach(child -> awaitEnd(child, REAPING));
        signal("KILL", leader.pid());
        leader.destroyForcibly();
        started.forEach(ProcessHandle::destroyForcibly);
        awaitEnd(leader, REAPING);
    }

    /**
     * Waits for a process, be it ours or not. Of one that is not ours nobody hears before its parent has asked for its status,
     * which a careless first process of a container may never do: therefore it is looked at now and then.
     */
    private static boolean awaitEnd(ProcessHandle process, Duration limit) {
        Optional<ProcessIdentity> identity =
                ProcessIdentity.status(process.pid()).flatMap(ProcessIdentity::of);
        for (Duration left = limit; left.toMillis() > 0; left = left.minus(LOOK)) {
            if (identity.filter(ProcessIdentity::isRunning).isEmpty()) {
                return true;
            }
            try {
                process.onExit().get(Math.min(left.toMillis(), LOOK.toMillis()), TimeUnit.MILLISECONDS);
                return true;
            } catch (InterruptedException stop) {
                Thread.currentThread().interrupt();
                break;
            } catch (ExecutionException | TimeoutException late) {
                log.debug("Process {} has not ended", process.pid(), late);
            }
        }
        return !process.isAlive();
    }

    /** Sends a signal to what is left of a group. */
    private static void signal(String name, long group) {
        try {
            new ProcessBuilder("sh", "-c", "kill -" + name + " -" + group)
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start()
                    .waitFor(REAPING.toMillis(), TimeUnit.MILLISECONDS);
        } catch (IOException impossible) {
            log.warn("Could not signal what is left of process group {}: {}", group, impossible.toString());
        } catch (InterruptedException stop) {
            Thread.currentThread().interrupt();
        }
    }
}
