package nodepool.driver.openstack;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import nodepool.api.driver.CloudException;
import nodepool.api.driver.CloudException.Fault;
import nodepool.api.driver.Provider;
import nodepool.api.event.Event;
import nodepool.driver.openstack.clouds.Service;
import nodepool.driver.openstack.http.Call;
import nodepool.testkit.LentContext;
import nodepool.testkit.ManualClock;
import nodepool.testkit.MemorySnapshots;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a provider says whose {@code clouds.yaml} does not fit the real cloud. */
class BadCloudIT {

    private final ScheduledExecutorService executor = Executors.newScheduledThreadPool(2);

    private final List<Event> events = new CopyOnWriteArrayList<>();

    @TempDir
    Path folder;

    private RealCloud cloud;

    @BeforeEach
    void open() throws Exception {
        cloud = RealCloud.get();
        cloud.noFaults();
    }

    @AfterEach
    void stop() {
        executor.shutdownNow();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{auth: {password: wrong}} | UNAUTHORIZED | 401",
                "{auth: {project_name: nowhere}} | UNAUTHORIZED | 401",
                "{auth: {user_domain_name: nowhere}} | UNAUTHORIZED | 401",
                "{region_name: nowhere} | BAD_REQUEST | no compute service in region nowhere",
                "{interface: private} | BAD_REQUEST | with interface [private]",
                "{compute_service_type: machines} | BAD_REQUEST | no compute service",
                "{compute_endpoint_override: 'http://127.0.0.1:1/v2.1'} | TRANSIENT | 127.0.0.1:1: cannot be reached"
            })
    void what_is_wrong_is_the_reason_why_the_provider_does_not_start(String change, Fault fault, String reason)
            throws Exception {
        CloudException failure = startWith(change);
        assertTrue(failure.getMessage().contains(reason), failure.getMessage());
        assertEquals(fault, failure.fault(), failure.getMessage());
        assertTrue(!failure.getMessage().contains("wrong"), "no password is shown");
    }

    @Test
    void a_credential_that_was_revoked_is_told_from_a_cloud_that_is_away() throws Exception {
        String id;
        String user = cloud.administrate(Call.get(Service.IDENTITY, "/users").with("name", "nodepool"))
                .path("users")
                .path(0)
                .path("id")
                .asText();
        String change;
        try (AdapterScene own = new AdapterScene(cloud, folder, "", "")) {
            ObjectNode body = JsonNodeFactory.instance.objectNode();
            body.putObject("application_credential").put("name", "of-the-test");
            JsonNode made = own.bare
                    .call(Call.post(Service.IDENTITY, "/users/" + user + "/application_credentials", body))
                    .body()
                    .path("application_credential");
            id = made.path("id").asText();
            change = "{auth_type: v3applicationcredential, auth: {application_credential_id: %s,"
                    .concat(" application_credential_secret: %s}}")
                    .formatted(id, made.path("secret").asText());
            try (AdapterScene scene = scene(change)) {
                assertTrue(scene.adapter.getAZs().contains("az-a"));
            }
            own.bare.call(Call.delete(Service.IDENTITY, "/users/" + user + "/application_credentials/" + id));
        }
        CloudException failure = startWith(change);
        assertEquals(Fault.UNAUTHORIZED, failure.fault(), failure.getMessage());
        assertTrue(failure.getMessage().contains("login at"), failure.getMessage());
        assertEquals(
                List.of("real identity POST tokens OptionalInt[404]"),
                events.stream()
                        .filter(event -> event instanceof Event.ApiCalled)
                        .map(event -> (Event.ApiCalled) event)
                        .map(call -> String.join(" ", call.provider(), call.service(), call.method(), call.operation())
                                + " " + call.status())
                        .toList());
    }

    private AdapterScene scene(String change) throws Exception {
        return new AdapterScene(cloud, folder, "", "", "clouds: {nodepool: " + change + "}");
    }

    private CloudException startWith(String change) throws Exception {
        try (AdapterScene scene = scene(change)) {
            Provider provider = new OpenStackDriver(cloud.files(folder.resolve("secure.yaml")))
                    .getProvider(
                            scene.config,
                            LentContext.of(new MemorySnapshots(), new ManualClock(), executor, events::add));
            CloudException failure = assertThrows(CloudException.class, provider::start);
            provider.stop();
            return failure;
        }
    }
}
