package nodepool.itest;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import nodepool.testkit.Ended;
import nodepool.testkit.Running;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The launcher's options for the watched folder, with a driver that it does not start by itself. */
class DeployFolderIT {

    private static final String DRIVER = "nodepool.driver.fake";

    @TempDir
    private Path folder;

    private Path deploy;
    private Path config;

    @BeforeEach
    void prepare() throws Exception {
        deploy = Files.createDirectory(folder.resolve("drivers"));
        config = Files.writeString(folder.resolve("nodepool.yaml"), """
                zookeeper-servers:
                  - host: 127.0.0.1
                    port: 1
                labels: []
                providers: []
                """);
    }

    @Test
    void a_driver_dropped_into_the_folder_is_installed_and_removed_with_its_file() throws Exception {
        try (Running launcher = start("--deploy-dir", deploy.toString())) {
            Path jar = drop();
            launcher.await("Bundle " + DRIVER + " 1.0.0.SNAPSHOT is installed");

            Files.delete(jar);
            launcher.await("Bundle " + DRIVER + " is removed");
        }
    }

    @Test
    void a_driver_that_is_not_on_the_list_is_named_and_stays_out_until_it_is() throws Exception {
        Path list = Files.writeString(folder.resolve("trusted"), "# nobody yet\n");
        try (Running launcher = start("--deploy-dir", deploy.toString(), "--deploy-trust=" + list)) {
            Path jar = drop();
            launcher.await("Bundle " + jar + " is refused: its SHA-256 ");
            assertEquals(0, launcher.count("is installed"));

            String sum =
                    Ended.of(Map.of(), "sha256sum", jar.toString()).orFail().substring(0, 64);
            Files.writeString(list, "sha256 " + sum + "\n");
            Ended.of(Map.of(), "touch", jar.toString()).orFail();
            launcher.await("Bundle " + DRIVER + " 1.0.0.SNAPSHOT is installed");
        }
    }

    @Test
    void a_folder_that_others_may_write_is_refused() throws Exception {
        Files.setPosixFilePermissions(deploy, PosixFilePermissions.fromString("rwxrwxrwx"));
        try (Running launcher = start("--deploy-dir", deploy.toString())) {
            Path jar = drop();
            launcher.await("Bundle " + jar + " is refused: everybody may write to " + deploy.toRealPath());
            assertEquals(0, launcher.count("is installed"));
        }
    }

    @Test
    void nothing_is_installed_when_it_is_switched_off() throws Exception {
        Path jar = drop();
        try (Running launcher = start("--deploy-dir", deploy.toString(), "--no-deploy")) {
            launcher.await("Hot deployment is off");
            Ended ended = launcher.stop();
            assertTrue(Files.exists(jar));
            assertTrue(!ended.output().contains(DRIVER), ended.output());
        }
    }

    @Test
    void a_folder_that_is_not_there_is_a_mistake() throws Exception {
        Ended ended = Ended.of(
                Map.of(), Installation.program("nodepool-launcher"), "-f", "--deploy-dir", folder + "/mistyped");

        assertEquals(1, ended.code());
        assertTrue(ended.output().contains("--deploy-dir: " + folder + "/mistyped is not a folder"), ended.output());
    }

    private Path drop() throws IOException {
        Path from = Assembly.bundle(Installation.home().resolve("bundles"), DRIVER);
        return Files.copy(from, deploy.resolve("fake.jar"));
    }

    private Running start(String... options) throws Exception {
        List<String> command = new ArrayList<>(
                List.of(Installation.program("nodepool-launcher"), "-f", "--no-webapp", "-c", config.toString()));
        command.addAll(List.of(options));
        Running launcher =
                Running.start(Map.of("NODEPOOL_VAR", folder.resolve("var").toString()), command);
        launcher.await("launcher started");
        return launcher;
    }
}
