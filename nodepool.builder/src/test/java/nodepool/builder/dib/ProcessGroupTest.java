package nodepool.builder.dib;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ProcessGroupTest {

    private static final Map<String, String> ENVIRONMENT = Map.of("PATH", "/usr/bin:/bin", "WHO", "me");

    @TempDir
    private Path folder;

    private ProcessGroup sh(String script) throws IOException {
        return ProcessGroup.start(List.of("/bin/sh", "-c", script), ENVIRONMENT, folder.resolve("log"));
    }

    /** Starts a script that makes the named file as soon as it is up, and waits for that. */
    private ProcessGroup up(String script) throws Exception {
        Path fifo = folder.resolve("up");
        new ProcessBuilder("mkfifo", fifo.toString()).start().waitFor();
        ProcessGroup group = sh(script.replace("UP", "echo up > " + fifo));
        assertEquals("up", Files.readString(fifo).strip());
        return group;
    }

    @Test
    void its_output_and_errors_are_in_the_file_and_its_environment_is_as_given() throws Exception {
        assertEquals(Optional.of(7), sh("echo $WHO; echo oops >&2; exit 7").await(Duration.ofSeconds(30)));
        assertEquals("me\noops\n", Files.readString(folder.resolve("log")));
    }

    @Test
    void a_child_that_keeps_the_output_open_holds_nobody_up() throws Exception {
        ProcessGroup group = sh("sleep 300 & exit 0");
        assertEquals(Optional.of(0), group.await(Duration.ofSeconds(30)));
        group.end(Duration.ofSeconds(30));
    }

    @Test
    void the_leader_may_tidy_up_before_its_children_are_killed() throws Exception {
        ProcessGroup group =
                up("trap 'echo tidy; exit 143' TERM; sleep 300 & echo $! > " + folder.resolve("child") + "; UP; wait");
        ProcessHandle child = ProcessHandle.of(
                        Long.parseLong(Files.readString(folder.resolve("child")).strip()))
                .orElseThrow();

        group.end(Duration.ofSeconds(30));

        assertEquals(Optional.of(143), group.await(Duration.ofSeconds(30)));
        assertEquals("tidy\n", Files.readString(folder.resolve("log")));
        child.onExit().get(30, TimeUnit.SECONDS);
        assertFalse(child.isAlive());
    }

    @Test
    void a_leader_that_will_not_end_is_killed() throws Exception {
        ProcessGroup group = up("trap '' TERM; UP; sleep 300; sleep 300");
        assertEquals(Optional.empty(), group.await(Duration.ofMillis(1)));

        group.end(Duration.ofMillis(50));

        assertEquals(Optional.of(137), group.await(Duration.ofSeconds(30)));
    }
}
