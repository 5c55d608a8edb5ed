package nodepool.itest;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import nodepool.testkit.Ended;
import nodepool.testkit.RealPart;
import nodepool.testkit.Running;
import nodepool.testkit.ZooKeeperProcess;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The builder as it is installed, over its sudden death, with Debian's ZooKeeper. */
class BuilderIT {

    /** Hangs as long as there is a file that says so, and tells its process id meanwhile. */
    private static final String COMMAND = """
            #!/bin/sh
            while [ "$1" != -o ]; do shift; done
            echo half >"$2.raw-new"
            if [ -e %1$s/hang ]; then
                echo $$ >%1$s/pid
                echo hanging >%1$s/fifo
                exec sleep 3600
            fi
            mv "$2.raw-new" "$2.raw"
            """;

    @TempDir
    Path folder;

    @BeforeEach
    void need() throws Exception {
        RealPart.ZOOKEEPER.require();
    }

    private Path configuration(ZooKeeperProcess zooKeeper) throws IOException {
        Path command = Files.writeString(folder.resolve("command"), COMMAND.formatted(folder));
        Files.setPosixFilePermissions(command, PosixFilePermissions.fromString("rwxr-xr-x"));
        Files.createDirectory(folder.resolve("images"));
        return Files.writeString(
                folder.resolve("nodepool.yaml"), zooKeeper.nodepoolConfiguration() + """
                        images-dir: %1$s/images
                        build-log-dir: %1$s/logs
                        diskimages:
                          - name: tiny
                            formats: [raw]
                            dib-cmd: %1$s/command
                        """.formatted(folder));
    }

    private Running builder(Path configuration, String... options) throws IOException {
        return Running.start(
                environment(),
                Stream.concat(
                                Stream.of(
                                        Installation.program("nodepool-builder"), "-f", "-c", configuration.toString()),
                                Stream.of(options))
                        .toList());
    }

    private Ended nodepool(Path configuration, String... arguments) throws Exception {
        return Ended.of(
                environment(),
                Stream.concat(
                                Stream.of(Installation.program("nodepool"), "-c", configuration.toString()),
                                Stream.of(arguments))
                        .toArray(String[]::new));
    }

    private Map<String, String> environment() {
        return Map.of("NODEPOOL_VAR", folder.resolve("var").toString());
    }

    private List<String> images() throws IOException {
        try (Stream<Path> files = Files.list(folder.resolve("images"))) {
            return files.map(file -> file.getFileName().toString())
                    .filter(name -> name.startsWith("tiny-"))
                    .toList();
        }
    }

    @Test
    void a_builder_that_was_killed_in_the_middle_of_a_build_ends_what_it_left_and_takes_it_up_again() throws Exception {
        try (ZooKeeperProcess zooKeeper = ZooKeeperProcess.start(folder)) {
            Path file = configuration(zooKeeper);
            Files.createFile(folder.resolve("hang"));
            Ended.of(Map.of(), "mkfifo", folder.resolve("fifo").toString()).orFail();
            ProcessHandle left;
            try (Running first = builder(file)) {
                assertEquals("hanging\n", Files.readString(folder.resolve("fifo")));
                left = ProcessHandle.of(Long.parseLong(
                                Files.readString(folder.resolve("pid")).strip()))
                        .orElseThrow();
                first.kill();
            }
            assertTrue(left.isAlive(), "the command ended with its builder, which may be in the middle of a mount");
            Files.delete(folder.resolve("hang"));
            try (Running second = builder(file)) {
                second.await("which a dead builder has left running");
                left.onExit().get(Running.DEADLINE.toSeconds(), TimeUnit.SECONDS);
                second.await("Image tiny is built as");
                second.await("withdrawn");
                second.await("is removed");
                String rows = nodepool(file, "dib-image-list", "--format", "csv", "--no-headers")
                        .orFail();
                assertEquals(1, rows.lines().count(), rows);
                assertEquals(1, images().size(), images().toString());
                assertEquals(0, second.stop().code(), second::all);
            }
        }
    }

    @Test
    void with_fake_images_are_built_on_request_without_diskimage_builder() throws Exception {
        try (ZooKeeperProcess zooKeeper = ZooKeeperProcess.start(folder)) {
            Path file = configuration(zooKeeper);
            Files.createFile(folder.resolve("hang"));
            try (Running builder = builder(file, "--fake", "--build-workers", "2")) {
                builder.await("Image tiny is built as");

                Ended built = nodepool(file, "image-build", "tiny", "--wait");

                assertEquals(0, built.code(), built.output());
                assertTrue(built.output().contains(" is ready"), built.output());
                assertEquals(0, builder.stop().code(), builder::all);
                assertFalse(builder.all().contains("ERROR"), builder.all());
            }
        }
    }
}
