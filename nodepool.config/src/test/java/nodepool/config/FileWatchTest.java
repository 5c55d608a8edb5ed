package nodepool.config;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Changes as editors and tools make them. What is told is what the file held then. */
class FileWatchTest {

    private static final String ABSENT = "absent";

    @TempDir
    Path folder;

    private final BlockingQueue<String> told = new LinkedBlockingQueue<>();
    private Path file;
    private FileWatch watch;

    @BeforeEach
    void start() throws Exception {
        file = Files.writeString(folder.resolve("nodepool.yaml"), "old");
        watch = start(file);
    }

    @AfterEach
    void stop() {
        watch.close();
    }

    private FileWatch start(Path watched) throws Exception {
        return FileWatch.start(List.of(watched), System::nanoTime, () -> told.add(read(watched)));
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException gone) {
            return ABSENT;
        }
    }

    private String next() throws InterruptedException {
        return String.valueOf(told.poll(30, TimeUnit.SECONDS));
    }

    @Test
    void several_writes_in_a_row_are_one_change() throws Exception {
        Files.writeString(file, "");
        Files.writeString(file, "half");
        Files.writeString(file, "whole");
        assertEquals("whole", next());
        Files.writeString(file, "another");
        assertEquals("another", next());
    }

    @Test
    void a_file_that_is_gone_for_a_moment_was_not_gone() throws Exception {
        Files.delete(file);
        Executor later = CompletableFuture.delayedExecutor(4 * FileWatch.QUIET.toMillis(), TimeUnit.MILLISECONDS);
        CompletableFuture<String> back = CompletableFuture.supplyAsync(() -> write("back"), later);
        assertEquals("back", next());
        assertEquals("back", back.join());
    }

    private String write(String text) {
        try {
            Files.writeString(file, text);
            return text;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void a_file_that_stays_away_is_told_and_so_is_its_return() throws Exception {
        Files.delete(file);
        assertEquals(ABSENT, next());
        Files.writeString(file, "new");
        assertEquals("new", next());
    }

    @Test
    void a_change_of_what_a_link_leads_to_is_told() throws Exception {
        Path elsewhere = Files.createDirectory(folder.resolve("elsewhere"));
        Path target = Files.writeString(elsewhere.resolve("target.yaml"), "old");
        Path links = Files.createDirectory(folder.resolve("links"));
        Path link = Files.createSymbolicLink(links.resolve("nodepool.yaml"), target);
        watch.close();
        watch = start(link);
        Files.writeString(target, "new");
        assertEquals("new", next());
    }
}
