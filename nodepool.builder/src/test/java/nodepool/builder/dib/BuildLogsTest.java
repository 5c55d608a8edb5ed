package nodepool.builder.dib;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BuildLogsTest {

    @TempDir
    private Path folder;

    private void logs(String image, int count) throws IOException {
        Files.createDirectories(folder.resolve("logs"));
        for (int number = 1; number <= count; number++) {
            Path log = Files.writeString(new BuildLogs(folder.resolve("logs"), 0).file(image, id(number)), "");
            Files.setLastModifiedTime(log, FileTime.fromMillis(number * 1000L));
        }
    }

    private static String id(int number) {
        return "%032x".formatted(number);
    }

    private List<String> left() throws IOException {
        try (Stream<Path> files = Files.list(folder.resolve("logs"))) {
            return files.map(file -> file.getFileName().toString()).sorted().toList();
        }
    }

    @Test
    void the_newest_stay_and_logs_of_other_images_too() throws IOException {
        logs("debian", 3);
        logs("debian-bookworm", 2);

        new BuildLogs(folder.resolve("logs"), 2).prepare("debian");

        assertEquals(
                List.of(
                        "debian-" + id(2) + ".log",
                        "debian-" + id(3) + ".log",
                        "debian-bookworm-" + id(1) + ".log",
                        "debian-bookworm-" + id(2) + ".log"),
                left());
    }

    @Test
    void at_least_one_stays_and_a_negative_retention_keeps_all() throws IOException {
        logs("debian", 3);
        new BuildLogs(folder.resolve("logs"), -1).prepare("debian");
        assertEquals(3, left().size());
        new BuildLogs(folder.resolve("logs"), 0).prepare("debian");
        assertEquals(List.of("debian-" + id(3) + ".log"), left());
    }

    @Test
    void the_directory_is_made_with_its_parents() throws IOException {
        new BuildLogs(folder.resolve("a/logs"), 7).prepare("debian");
        BuildLogs.append(folder.resolve("a/logs/x.log"), "Exit code: 0");
        assertEquals("Exit code: 0\n", Files.readString(folder.resolve("a/logs/x.log")));
    }
}
