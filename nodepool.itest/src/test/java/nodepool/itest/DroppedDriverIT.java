package nodepool.itest;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import nodepool.testkit.Ended;
import nodepool.testkit.FreePort;
import nodepool.testkit.Running;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A driver made from the template comes to a running system, is replaced, goes, and comes back. */
class DroppedDriverIT {

    private static final String CONFIG = """
            webapp:
              port: %%(NODEPOOL_QUICKSTART_PORT)
              listen_address: 127.0.0.1
            zookeeper-servers:
              - host: 127.0.0.1
                port: %%(NODEPOOL_QUICKSTART_ZK_PORT)
            labels:
              - name: small
                min-ready: 2
            providers:
              - name: acme-east
                driver: acme
                url: http://127.0.0.1:%d
                token: secret-of-the-cloud
                rate-limit: 0
                cloud-images:
                  - name: debian
                    image-id: img-12
                pools:
                  - name: main
                    max-servers: 10
                    labels:
                      - name: small
                        cloud-image: debian
                        size: s1
                        host-key-checking: false
            """;

    @TempDir
    private Path folder;

    @Test
    void a_driver_is_dropped_in_replaced_taken_away_and_put_back() throws Exception {
        NewDriver driver = NewDriver.make(folder);
        Path deploy = Files.createDirectories(folder.resolve("deploy"));
        try (TextCloud cloud = new TextCloud();
                Running system = start(cloud, deploy)) {
            system.await("quickstart started");
            assertEquals(0, cloud.everMade());

            driver.bundle(deploy.resolve("acme.jar"), "1.0.0");
            system.await("Fulfilled node request 900-0000000001");
            assertEquals(2, cloud.running());

            int known = system.size();
            Files.delete(deploy.resolve("acme.jar"));
            system.awaitAfter(known, "Driver acme of provider acme-east is gone");
            assertEquals(2, cloud.running(), "what the driver has made stays");

            known = system.size();
            driver.bundle(deploy.resolve("acme.jar"), "1.0.1");
            system.awaitAfter(known, "Provider acme-east is in service");
            Ended got = nodepool("request", "small", "small", "small", "--wait");
            assertTrue(got.output().contains(" fulfilled"), got.output());
            assertEquals(nodes(), cloud.running(), "machines and nodes");

            Ended ended = system.stop();
            assertTrue(!ended.output().contains("secret-of-the-cloud"), "the credential is in the log");
        }
    }

    private Running start(TextCloud cloud, Path deploy) throws Exception {
        Path config = Files.writeString(folder.resolve("nodepool.yaml"), CONFIG.formatted(cloud.port()));
        Map<String, String> environment = Map.of(
                "NODEPOOL_VAR",
                folder.resolve("var").toString(),
                "NODEPOOL_JAVA_OPTS",
                "-Dfelix.fileinstall.dir=" + deploy + " -Dfelix.fileinstall.poll=200");
        return Running.start(
                environment,
                List.of(
                        Installation.program("nodepool"),
                        "quickstart",
                        "--port",
                        Integer.toString(FreePort.find()),
                        "--zk-port",
                        Integer.toString(FreePort.find()),
                        "-c",
                        config.toString()));
    }

    private Ended nodepool(String... arguments) throws Exception {
        String[] command = new String[arguments.length + 1];
        command[0] = Installation.program("nodepool");
        System.arraycopy(arguments, 0, command, 1, arguments.length);
        return Ended.of(Map.of("NODEPOOL_VAR", folder.resolve("var").toString()), command);
    }

    private int nodes() throws Exception {
        return (int) nodepool("list")
                .orFail()
                .lines()
                .filter(line -> line.contains("| acme-east |"))
                .count();
    }
}
