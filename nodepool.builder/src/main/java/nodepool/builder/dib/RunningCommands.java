package nodepool.builder.dib;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Which image commands run, kept in files, so that a builder that was killed can end at its next start what it has left
 * running. One file each: id and start of the builder's process, then of the command's.
 *
 * @param directory for these files
 */
public record RunningCommands(Path directory) {

    /** Among the fields of a process's status, behind the name in parentheses, counted from 0. */
    private static final int START_TIME = 19;

    private static final Logger log = LoggerFactory.getLogger("nodepool.builder.dib");

    /** Keeps a command in mind until it is forgotten. */
    public void register(String name, ProcessGroup command) throws IOException {
        Files.createDirectories(directory);
        Files.write(
                directory.resolve(name),
                List.of(line(ProcessHandle.current().pid()), line(command.id())),
                StandardCharsets.UTF_8);
    }

    /** Forgets a command that has ended. */
    public void forget(String name) throws IOException {
        Files.deleteIfExists(directory.resolve(name));
    }

    /** A process and its start. The latter in ticks of the kernel: as a time it changes when the clock is set. */
    private static String line(long pid) {
        try {
            String stat = Files.readString(Path.of("/proc", Long.toString(pid), "stat"), StandardCharsets.UTF_8);
            String[] behindName = stat.substring(stat.lastIndexOf(')') + 2).split(" ", START_TIME + 2);
            return pid + " " + behindName[START_TIME];
        } catch (IOException gone) {
            return pid + " gone";
        }
    }

    /** Ends every command whose builder is dead. Blocks until they have ended, each for at most {@code grace}. */
    public void endOrphans(Duration grace) throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            for (Path file : files.toList()) {
                List<String> lines = Files.readAllLines(file, StandardCharsets.UTF_8);
                boolean complete = lines.size() == 2;
                if (!complete || find(lines.get(0)).isEmpty()) {
                    Optional<ProcessHandle> command = complete ? find(lines.get(1)) : Optional.empty();
                    command.ifPresent(left -> {
                        log.warn("Ending the image command of {}, which a dead builder has left running", file);
                        ProcessGroup.end(left, grace);
                    });
                    Files.deleteIfExists(file);
                }
            }
        } catch (NoSuchFileException neverUsed) {
            log.debug("No command was ever run");
        }
    }

    /** The living process of that line; another one that was given the same id since is not it. */
    private static Optional<ProcessHandle> find(String line) {
        String[] parts = line.split(" ", 2);
        try {
            long pid = Long.parseLong(parts[0]);
            return line(pid).equals(line) ? ProcessHandle.of(pid) : Optional.empty();
        } catch (NumberFormatException unreadable) {
            return Optional.empty();
        }
    }
}
