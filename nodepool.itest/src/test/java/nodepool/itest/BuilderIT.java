package nodepool.itest;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
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

    /** Makes the file it is asked for. */
    private static final String COMMAND = """
            #!/bin/sh
            while [ "$1" != -o ]; do shift; done
            echo whole >"$2.raw"
            """;

    @TempDir
    Path folder;

    @BeforeEach
    void need() throws Exception {
        RealPart.ZOOKEEPER.require();
    }

    private Path configuration(ZooKeeperProcess zooKeeper) throws IOException {
        Path command = Files.writeString(folder.resolve("command"), COMMAND);
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

    @Test
    void with_fake_images_are_built_on_request_without_diskimage_builder() throws Exception {
        try (ZooKeeperProcess zooKeeper = ZooKeeperProcess.start(folder)) {
            Path file = configuration(zooKeeper);
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
