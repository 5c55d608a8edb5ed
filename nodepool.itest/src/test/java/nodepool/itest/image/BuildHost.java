package nodepool.itest.image;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.TreeSet;
import java.util.stream.Stream;
import nodepool.itest.Installation;
import nodepool.testkit.Ended;
import nodepool.testkit.Running;

/** Where one builder works: its images, logs, temporary trees and configuration. All of it lies in one folder. */
final class BuildHost {

    private final Path folder;
    private final Map<String, String> environment;

    /** @param environment for the programs that are run here */
    BuildHost(Path folder, Map<String, String> environment) throws IOException {
        this.folder = folder;
        this.environment = new HashMap<>(environment);
        this.environment.put("NODEPOOL_VAR", folder.resolve("var").toString());
        for (String part : List.of("images", "tmp")) {
            Files.createDirectories(folder.resolve(part));
        }
    }

    /** @param yaml in which {@code HOST} stands for this host's folder */
    void configure(String yaml) throws IOException {
        Files.writeString(folder.resolve("nodepool.yaml"), """
                images-dir: HOST/images
                build-log-dir: HOST/logs
                """.concat(yaml).replace("HOST", folder.toString()));
    }

    Path path(String name) {
        return folder.resolve(name);
    }

    Running builder(Map<String, String> more) throws IOException {
        return start("nodepool-builder", more);
    }

    Running builder() throws IOException {
        return builder(Map.of());
    }

    Running launcher() throws IOException {
        return start("nodepool-launcher", Map.of(), "--no-webapp");
    }

    private Running start(String program, Map<String, String> more, String... options) throws IOException {
        Map<String, String> all = new HashMap<>(environment);
        all.putAll(more);
        return Running.start(
                all,
                Stream.concat(
                                Stream.of(
                                        Installation.program(program),
                                        "-f",
                                        "-c",
                                        folder.resolve("nodepool.yaml").toString()),
                                Stream.of(options))
                        .toList());
    }

    Ended nodepool(String... arguments) throws IOException, InterruptedException {
        return Ended.of(
                environment,
                Stream.concat(
                                Stream.of(
                                        Installation.program("nodepool"),
                                        "-c",
                                        folder.resolve("nodepool.yaml").toString()),
                                Stream.of(arguments))
                        .toArray(String[]::new));
    }

    /** What a list prints as comma-separated values, without the header. */
    List<String> rows(String... arguments) throws IOException, InterruptedException {
        return nodepool(Stream.concat(Stream.of(arguments), Stream.of("--format", "csv", "--no-headers"))
                        .toArray(String[]::new))
                .orFail()
                .lines()
                .toList();
    }

    /** Ids of the builds whose files are here. */
    NavigableSet<String> builds(String image) throws IOException {
        NavigableSet<String> builds = new TreeSet<>();
        try (Stream<Path> files = Files.list(folder.resolve("images"))) {
            files.map(file -> file.getFileName().toString())
                    .filter(name -> name.startsWith(image + "-"))
                    .forEach(name ->
                            builds.add(name.substring(image.length() + 1).split("\\.", 2)[0]));
        }
        return builds;
    }

    /** Neither a mount, nor a loop device, nor a temporary tree. */
    void assertNothingIsLeft() throws IOException, InterruptedException {
        assertEquals("", sh("grep -F " + folder + " /proc/mounts || true"));
        assertEquals("", sh("losetup -a | grep -F " + folder + " || true"));
        try (Stream<Path> left = Files.list(folder.resolve("tmp"))) {
            assertEquals(List.of(), left.toList());
        }
    }

    private static String sh(String script) throws IOException, InterruptedException {
        return Ended.of(Map.of("PATH", "/usr/sbin:/usr/bin:/sbin:/bin"), "sh", "-c", script)
                .orFail();
    }
}
