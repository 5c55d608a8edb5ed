package nodepool.builder.dib;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RunningCommandsTest {

    private static final Map<String, String> ENVIRONMENT = Map.of("PATH", "/usr/bin:/bin");
    private static final Duration GRACE = Duration.ofSeconds(30);
    private static final Duration NOT_AT_ALL = Duration.ofMillis(1);

    /** As the kernel tells it of a process that has had this id and is long dead. */
    private static final String DEAD = "999999999 (java) S" + " 1".repeat(49);

    @TempDir
    private Path folder;

    private RunningCommands commands;
    private Path fifo;
    private Path file;

    @BeforeEach
    void open() throws Exception {
        commands = new RunningCommands(folder.resolve("running"));
        file = folder.resolve("running/fake-1");
        fifo = folder.resolve("up");
        new ProcessBuilder("mkfifo", fifo.toString()).start().waitFor();
    }

    /** A command that says when it is up, and then would run for long. */
    private ProcessGroup sleeper() throws IOException {
        ProcessGroup group = commands.start(
                "fake-1",
                List.of("/bin/sh", "-c", "echo up > " + fifo + "; exec sleep 300"),
                ENVIRONMENT,
                folder.resolve("log"));
        assertEquals("up\n", Files.readString(fifo));
        return group;
    }

    private void killTheBuilderInTheFile() throws IOException {
        Files.write(file, List.of(DEAD, Files.readAllLines(file).get(1)));
    }

    @Test
    void a_command_is_known_before_it_does_anything_and_forgotten_on_request() throws Exception {
        Path seen = folder.resolve("seen");
        ProcessGroup group = commands.start(
                "fake-1", List.of("/bin/cp", file.toString(), seen.toString()), ENVIRONMENT, folder.resolve("log"));

        assertEquals(Optional.of(0), group.await(GRACE));

        List<String> lines = Files.readAllLines(seen);
        assertEquals(2, lines.size(), lines.toString());
        assertTrue(ProcessIdentity.of(lines.get(1)).isPresent(), lines.toString());
        commands.forget("fake-1");
        assertFalse(Files.exists(file));
    }

    @Test
    void a_command_whose_builder_lives_is_left_alone_and_an_orphan_is_ended() throws Exception {
        ProcessGroup group = sleeper();
        commands.endOrphans(GRACE);
        assertEquals(Optional.empty(), group.await(NOT_AT_ALL));

        killTheBuilderInTheFile();
        commands.endOrphans(GRACE);

        assertTrue(group.await(GRACE).isPresent());
        assertFalse(Files.exists(file));
    }

    @Test
    void a_process_that_was_given_the_id_of_a_dead_command_is_left_alone() throws Exception {
        ProcessGroup other = sleeper();
        String status = Files.readAllLines(file).get(1);
        String start = ProcessIdentity.of(status).orElseThrow().start();
        Files.write(file, List.of(DEAD, status.replace(" " + start + " ", " 12345 ")));

        commands.endOrphans(GRACE);

        assertEquals(Optional.empty(), other.await(NOT_AT_ALL));
        assertFalse(Files.exists(file));
        other.end(GRACE);
    }

    @Test
    void a_builder_that_died_before_its_command_began_left_nothing_to_end() throws Exception {
        Files.createDirectory(folder.resolve("running"));
        Files.writeString(file, DEAD + "\n");
        commands.endOrphans(GRACE);
        assertFalse(Files.exists(file));
    }

    @Test
    void an_orphan_that_is_dead_and_that_nobody_asks_about_is_not_waited_for() throws Exception {
        // The shell becomes a program that asks about no child: the one it has made stays, dead.
        Process parent = new ProcessBuilder(
                        "/bin/sh", "-c", "sleep 300 & read -r status </proc/$!/stat; echo \"$status\"; exec sleep 300")
                .start();
        try {
            String status = parent.inputReader().readLine();
            ProcessIdentity child = ProcessIdentity.of(status).orElseThrow();
            ProcessHandle handle = ProcessHandle.of(child.pid()).orElseThrow();
            long begin = System.nanoTime();

            ProcessGroup.end(handle, GRACE);

            assertFalse(child.isRunning());
            assertTrue(handle.isAlive(), "somebody has asked about it");
            assertTrue(System.nanoTime() - begin < GRACE.toNanos(), "it was waited for all the same");
        } finally {
            parent.destroyForcibly();
        }
    }
}
