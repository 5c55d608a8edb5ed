package nodepool.driver.openstack;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import nodepool.api.config.ConfigurationReader;
import nodepool.api.config.ConfigurationReader.Result;
import nodepool.api.driver.CloudException;
import nodepool.api.driver.Provider;
import nodepool.driver.openstack.clouds.CloudFiles;
import nodepool.testkit.LentContext;
import nodepool.testkit.ManualClock;
import nodepool.testkit.MemorySnapshots;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A cloud that clouds.yaml does not describe, or that nobody reaches, keeps its provider from starting, and says why. */
class UnusableCloudTest {

    @TempDir
    Path folder;

    private final ScheduledExecutorService executor = Executors.newScheduledThreadPool(2);

    @AfterEach
    void stop() {
        executor.shutdownNow();
    }

    @Test
    void an_unknown_cloud_is_a_warning_and_the_reason_of_the_provider() throws Exception {
        Files.writeString(folder.resolve("clouds.yaml"), "clouds: {other: {}}");
        Result result = read();
        String reason = "Cloud lost was not found. [" + folder.resolve("clouds.yaml") + "] have: other";
        assertEquals(
                List.of("this provider will not start: " + reason),
                result.problems().stream()
                        .map(problem -> problem.message())
                        .filter(message -> message.contains("will not start"))
                        .toList());
        assertEquals(reason, failure(result).getMessage());
    }

    @Test
    void certificates_that_cannot_be_read_are_known_before_anything_starts() throws Exception {
        Path nowhere = folder.resolve("nowhere.pem");
        Files.writeString(folder.resolve("clouds.yaml"), """
                clouds: {lost: {cacert: '%s', auth: {auth_url: 'https://127.0.0.1:1/v3', username: u, password: p}}}""".formatted(nowhere));
        Result result = read();
        String warning = result.problems().stream()
                .map(problem -> problem.message())
                .filter(message -> message.contains("will not start"))
                .findFirst()
                .orElseThrow();
        assertTrue(warning.contains("TLS cannot be set up: " + nowhere), warning);
    }

    @Test
    void a_changed_password_makes_another_provider_at_the_next_reading() throws Exception {
        String clouds = "clouds: {lost: {auth: {auth_url: 'http://127.0.0.1:1/v3', username: u, password: %s}}}";
        Files.writeString(folder.resolve("clouds.yaml"), clouds.formatted("old"));
        OpenStackConfig old = config(read());
        assertEquals(old, config(read()));
        Files.writeString(folder.resolve("clouds.yaml"), clouds.formatted("new"));
        assertNotEquals(old, config(read()));
    }

    @Test
    void a_file_that_is_repaired_later_is_read_again() throws Exception {
        Result result = read();
        Files.writeString(folder.resolve("clouds.yaml"), """
                clouds: {lost: {auth: {auth_url: 'http://127.0.0.1:1/v3', username: u, password: s3cret}}}""");
        CloudException failure = failure(result);
        assertEquals(CloudException.Fault.TRANSIENT, failure.fault());
        assertTrue(failure.getMessage().contains("127.0.0.1:1: cannot be reached"), failure.getMessage());
    }

    private CloudException failure(Result result) {
        OpenStackConfig config = config(result);
        Provider provider = driver().getProvider(
                        config, LentContext.of(new MemorySnapshots(), new ManualClock(), executor, event -> {}));
        CloudException failure = assertThrows(CloudException.class, provider::start);
        provider.stop();
        return failure;
    }

    private static OpenStackConfig config(Result result) {
        return (OpenStackConfig) result.configuration()
                .orElseThrow()
                .provider("p")
                .flatMap(entry -> entry.config())
                .orElseThrow();
    }

    private OpenStackDriver driver() {
        return new OpenStackDriver(new CloudFiles(Map.of(), folder, folder));
    }

    private Result read() throws Exception {
        Path file = Files.writeString(folder.resolve("nodepool.yaml"), """
                zookeeper-servers: [{host: 127.0.0.1}]
                providers: [{name: p, driver: openstack, cloud: lost}]
                """);
        return ServiceLoader.load(ConfigurationReader.class)
                .findFirst()
                .orElseThrow()
                .read(file, Optional.empty(), Map.of(), List.of(driver()));
    }
}
