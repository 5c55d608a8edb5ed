package nodepool.builder.dib;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Which image commands run, kept in files, so that a builder that was killed can end at its next start what it has left
 * running. One file each: the status of the builder's process, then of the command's, as the kernel tells it.
 *
 * @param directory for these files
 */
public record RunningCommands(Path directory) {

    /**
     * A command writes its own line before it begins, so that there is no moment at which it runs and is not known. If its
     * file is gone by then it does not begin: its builder is dead, and the next one has looked already.
     */
    private static final String REGISTER_AND_RUN =
            "[ -e \"$0\" ] && read -r status </proc/$$/stat && echo \"$status\" >>\"$0\" && exec \"$@\"";

    private static final Logger log = LoggerFactory.getLogger("nodepool.builder.dib");

    /**
     * Starts a command and keeps it in mind until it is forgotten.
     *
     * @param words the program with its path, and its arguments
     * @param output appended to
     */
    public ProcessGroup start(String name, List<String> words, Map<String, String> environment, Path output)
            throws IOException {
        Files.createDirectories(directory);
        Path file = directory.resolve(name);
        Files.writeString(
                file, ProcessIdentity.status(ProcessHandle.current().pid()).orElse("") + "\n", StandardCharsets.UTF_8);
        List<String> registering = new ArrayList<>(List.of("/bin/sh", "-c", REGISTER_AND_RUN, file.toString()));
        registering.addAll(words);
        return ProcessGroup.start(registering, environment, output);
    }

    /** Forgets a command that has ended. */
    public void forget(String name) throws IOException {
        Files.deleteIfExists(directory.resolve(name));
    }

    /** Ends every command whose builder is dead. Blocks until they have ended, each for at most {@code grace}. */
    public void endOrphans(Duration grace) throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            for (Path file : files.toList()) {
                endIfOrphan(file, grace);
            }
        } catch (NoSuchFileException neverUsed) {
            log.debug("No command was ever run");
        }
    }

    private static void endIfOrphan(Path file, Duration grace) throws IOException {
        List<Optional<ProcessIdentity>> processes = Files.readAllLines(file, StandardCharsets.UTF_8).stream()
                .map(ProcessIdentity::of)
                .toList();
        if (!processes.isEmpty() && isRunning(processes.get(0))) {
            return;
        }
        if (processes.size() > 1 && isRunning(processes.get(1))) {
            log.warn("Ending the image command of {}, which a dead builder has left running", file);
            ProcessHandle.of(processes.get(1).orElseThrow().pid())
                    .ifPresent(command -> ProcessGroup.end(command, grace));
        }
        Files.deleteIfExists(file);
    }

    private static boolean isRunning(Optional<ProcessIdentity> process) {
        return process.filter(ProcessIdentity::isRunning).isPresent();
    }
}
