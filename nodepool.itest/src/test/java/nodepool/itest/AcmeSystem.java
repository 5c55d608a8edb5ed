package nodepool.itest;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import nodepool.testkit.Ended;
import nodepool.testkit.FreePort;
import nodepool.testkit.Running;

/**
 * A quick start whose one provider needs the driver {@code acme}, which it does not have yet.
 *
 * @param deploy the watched folder
 * @param driver what to drop there
 */
record AcmeSystem(Running process, TextCloud cloud, NewDriver driver, Path deploy, Path var) implements AutoCloseable {

    private static final String CONFIG = """
            webapp:
              port: %%(NODEPOOL_QUICKSTART_PORT)
              listen_address: 127.0.0.1
            zookeeper-servers:
              - host: 127.0.0.1
                port: %%(NODEPOOL_QUICKSTART_ZK_PORT)
            labels:
              - name: small
                min-ready: %d
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
                    max-servers: 250
                    labels:
                      - name: small
                        cloud-image: debian
                        size: s1
                        host-key-checking: false
            """;

    static AcmeSystem start(Path folder, TextCloud cloud, int minReady) throws Exception {
        NewDriver driver = NewDriver.make(folder);
        Path deploy = Files.createDirectories(folder.resolve("deploy"));
        Path var = folder.resolve("var");
        Path config = Files.writeString(folder.resolve("nodepool.yaml"), CONFIG.formatted(minReady, cloud.port()));
        Map<String, String> environment = Map.of(
                "NODEPOOL_VAR",
                var.toString(),
                "NODEPOOL_JAVA_OPTS",
                "-Dfelix.fileinstall.dir=" + deploy + " -Dfelix.fileinstall.poll=200");
        Running process = Running.start(
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
        AcmeSystem system = new AcmeSystem(process, cloud, driver, deploy, var);
        try {
            process.await("quickstart started");
        } catch (AssertionError | InterruptedException notUp) {
            process.close();
            throw notUp;
        }
        return system;
    }

    /** Puts that version into the watched folder and waits until its provider works. */
    void drop(String version) throws IOException, InterruptedException {
        int known = process.size();
        driver.bundle(deploy.resolve("acme.jar"), version);
        process.awaitAfter(known, "Provider acme-east is in service");
    }

    /** What makes a file in the watched folder. */
    @FunctionalInterface
    interface Draft {
        void write(Path file) throws IOException;
    }

    /** Puts a file into the watched folder that must not be taken, and gives the line that says why. */
    String dropRefused(String name, Draft draft) throws IOException, InterruptedException {
        int known = process.size();
        draft.write(deploy.resolve(name));
        return process.awaitAfter(known, deploy.resolve(name) + " is refused: ");
    }

    /** Takes the driver out of the watched folder and waits until it is gone. */
    void takeAway() throws IOException, InterruptedException {
        int known = process.size();
        Files.delete(deploy.resolve("acme.jar"));
        process.awaitAfter(known, "Driver acme of provider acme-east is gone");
    }

    /** Runs the tool. */
    Ended nodepool(String... arguments) throws IOException, InterruptedException {
        String[] command = new String[arguments.length + 1];
        command[0] = Installation.program("nodepool");
        System.arraycopy(arguments, 0, command, 1, arguments.length);
        return Ended.of(Map.of("NODEPOOL_VAR", var.toString()), command);
    }

    /** How many nodes there are. */
    int nodes() throws IOException, InterruptedException {
        return (int) nodepool("list")
                .orFail()
                .lines()
                .filter(line -> line.contains("| acme-east |"))
                .count();
    }

    @Override
    public void close() {
        process.close();
    }
}
