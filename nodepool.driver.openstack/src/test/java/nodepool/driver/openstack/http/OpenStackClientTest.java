package nodepool.driver.openstack.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import nodepool.driver.openstack.clouds.CloudSettings;
import nodepool.driver.openstack.clouds.CloudSettings.Tls;
import nodepool.driver.openstack.clouds.Service;
import nodepool.driver.openstack.http.CallFailure.Kind;
import nodepool.driver.openstack.http.ScriptedCloud.Answer;
import nodepool.testkit.DeadPort;
import nodepool.testkit.ManualClock;
import nodepool.testkit.TlsFiles;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Logging in, trying again, deadlines and failures, against a server on loopback. */
class OpenStackClientTest {

    private static final Call LIST = Call.get(Service.COMPUTE, "/servers");
    private static final String LIST_LINE = "GET /compute/v2.1/servers";
    private static final Call MAKE = Call.post(
            Service.COMPUTE, "/servers", JsonNodeFactory.instance.objectNode().put("a", 1));
    private static final String MAKE_LINE = "POST /compute/v2.1/servers";
    private static final String LOGIN_LINE = "POST /v3/auth/tokens";
    private static final Answer FINE = Answer.of(200, "{\"servers\": []}");

    private final ManualClock clock = new ManualClock(Instant.parse("2026-01-01T00:00:00Z"));
    private ScriptedCloud cloud;
    private OpenStackClient client;

    @BeforeEach
    void start() throws Exception {
        cloud = ScriptedCloud.start();
        client = client(cloud.settings());
        cloud.answer(LIST_LINE, FINE);
    }

    @AfterEach
    void stop() {
        client.close();
        cloud.close();
    }

    private OpenStackClient client(CloudSettings settings) throws CallFailure {
        return new OpenStackClient("test", settings, Map.of(), clock, (service, method, operation, status, took) -> {});
    }

    @Test
    void a_call_logs_in_and_carries_the_token() throws Exception {
        assertTrue(send(LIST).body().path("servers").isArray());
        assertEquals(Optional.of("token-1"), cloud.asked(LIST_LINE).get(0).token());
        assertEquals(
                "{\"auth\":{\"identity\":{\"methods\":[\"password\"],\"password\":{\"user\":{\"name\":\"u\","
                        + "\"domain\":{\"id\":\"default\"},\"password\":\"s3cret\"}}},\"scope\":{\"project\":"
                        + "{\"name\":\"j\",\"domain\":{\"id\":\"default\"}}}}}",
                cloud.asked(LOGIN_LINE).get(0).body());
        assertEquals(Optional.of("p1"), client.project().get(20, TimeUnit.SECONDS));
    }

    @Test
    void many_calls_share_one_login_and_one_discovery() throws Exception {
        List<CompletableFuture<Reply>> calls = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            calls.add(client.send(LIST));
        }
        for (CompletableFuture<Reply> call : calls) {
            call.get(20, TimeUnit.SECONDS);
        }
        assertEquals(1, cloud.asked(LOGIN_LINE).size());
        assertEquals(1, cloud.asked("GET /compute/v2.1/").size());
        assertEquals(20, cloud.asked(LIST_LINE).size());
    }

    @Test
    void a_token_that_is_refused_is_replaced_once_and_the_call_repeated() throws Exception {
        send(LIST);
        cloud.answer(MAKE_LINE, Answer.of(401, "{}"), Answer.of(202, "{\"id\": 1}"));
        cloud.token("token-2", "2099-01-01T00:00:00Z");
        assertEquals(202, send(MAKE).status());
        assertEquals(
                List.of(Optional.of("token-1"), Optional.of("token-2")),
                cloud.asked(MAKE_LINE).stream().map(ScriptedCloud.Asked::token).toList());
        assertEquals(2, cloud.asked(LOGIN_LINE).size());
    }

    @Test
    void a_service_that_refuses_every_token_is_asked_twice_only() {
        cloud.answer(LIST_LINE, Answer.of(401, "{\"error\": {\"message\": \"go away\"}}"));
        CallFailure failure = fails(LIST);
        assertTrue(failure.isStatus(401));
        assertFalse(failure.isLogin());
        assertEquals(2, cloud.asked(LIST_LINE).size());
    }

    @Test
    void a_token_about_to_end_is_renewed_before_the_call() throws Exception {
        cloud.token("short", "2026-01-01T00:10:00Z");
        send(LIST);
        clock.advance(Duration.ofSeconds(7 * 60 + 59));
        send(LIST);
        assertEquals(1, cloud.asked(LOGIN_LINE).size());
        clock.advance(Duration.ofSeconds(2));
        send(LIST);
        assertEquals(2, cloud.asked(LOGIN_LINE).size());
    }

    @Test
    void a_refused_login_is_not_tried_again_at_once_and_shows_no_password() throws Exception {
        cloud.answer(LOGIN_LINE, Answer.of(401, "{\"error\": {\"message\": \"wrong password\", \"code\": 401}}"));
        CallFailure failure = fails(LIST);
        assertTrue(failure.isLogin() && failure.isStatus(401));
        assertTrue(failure.getMessage().endsWith("401 wrong password"), failure.getMessage());
        assertFalse(failure.toString().contains("s3cret"));
        fails(LIST);
        assertEquals(1, cloud.asked(LOGIN_LINE).size());
        cloud.token("late", "2099-01-01T00:00:00Z");
        clock.advance(Duration.ofSeconds(31));
        send(LIST);
    }

    @Test
    void too_many_requests_are_asked_again_when_the_service_says() throws Exception {
        Answer later = new Answer(429, "{}", Map.of("Retry-After", "0"));
        cloud.answer(LIST_LINE, later, later, FINE);
        send(LIST);
        assertEquals(3, cloud.asked(LIST_LINE).size());
    }

    @Test
    void what_makes_something_is_not_asked_again_and_says_when_to() {
        cloud.answer(MAKE_LINE, new Answer(429, "{}", Map.of("Retry-After", "7")));
        CallFailure failure = fails(MAKE);
        assertEquals(Optional.of(Duration.ofSeconds(7)), failure.retryAfter());
        assertFalse(failure.mayBeDone());
        assertEquals(1, cloud.asked(MAKE_LINE).size());
    }

    @Test
    void the_image_service_is_asked_again_when_it_is_unavailable_and_others_are_not() throws Exception {
        cloud.answer("GET /image/v2/images", Answer.of(503, ""), Answer.of(200, "{}"));
        send(Call.get(Service.IMAGE, "/images"));
        cloud.answer(LIST_LINE, Answer.of(503, ""), FINE);
        assertTrue(fails(LIST).isStatus(503));
    }

    @Test
    void a_server_error_after_a_post_leaves_open_whether_it_was_done() {
        cloud.answer(MAKE_LINE, Answer.of(504, "<html><head><title>x</title></head><h1>Gateway Time-out</h1></html>"));
        CallFailure failure = fails(MAKE);
        assertTrue(failure.mayBeDone());
        assertTrue(failure.getMessage().endsWith("504 Gateway Time-out"), failure.getMessage());
    }

    @Test
    void a_cut_connection_is_tried_again_only_for_what_can_be_repeated() throws Exception {
        cloud.answer(LIST_LINE, Answer.of(-1, ""), FINE);
        send(LIST);
        cloud.answer(MAKE_LINE, Answer.of(-1, ""), FINE);
        CallFailure failure = fails(MAKE);
        assertEquals(Kind.CUT_OFF, failure.kind());
        assertTrue(failure.mayBeDone());
    }

    @Test
    void silence_ends_at_the_deadline() throws Exception {
        send(LIST);
        cloud.answer(LIST_LINE, Answer.of(0, ""));
        Call hasty = new Call(
                Service.COMPUTE,
                "GET",
                "/servers",
                Map.of(),
                new Call.Body.None(),
                true,
                Optional.empty(),
                Optional.of(Duration.ofMillis(300)));
        assertEquals(Kind.TIMEOUT, fails(hasty).kind());
    }

    @Test
    void a_silent_login_fails_the_call_at_its_deadline_too() {
        cloud.answer(LOGIN_LINE, Answer.of(0, ""));
        Call hasty = new Call(
                Service.COMPUTE,
                "GET",
                "/servers",
                Map.of(),
                new Call.Body.None(),
                true,
                Optional.empty(),
                Optional.of(Duration.ofMillis(300)));
        CallFailure failure = fails(hasty);
        assertEquals(Kind.UNREACHABLE, failure.kind());
        assertFalse(failure.mayBeDone());
    }

    @Test
    void nobody_there_is_said_so() throws Exception {
        try (DeadPort port = DeadPort.open();
                OpenStackClient lost =
                        client(cloud.settings(tls(true, Optional.empty()), "http://127.0.0.1:" + port.port()))) {
            CallFailure failure = fails(lost, LIST);
            assertEquals(Kind.UNREACHABLE, failure.kind());
            assertFalse(failure.mayBeDone());
            assertTrue(failure.getMessage().contains("127.0.0.1:" + port.port()), failure.getMessage());
        }
    }

    @Test
    void a_service_the_catalog_does_not_have_is_named() throws Exception {
        CallFailure failure = fails(Call.get(Service.BLOCK_STORAGE, "/volumes"));
        assertEquals(Kind.NO_SERVICE, failure.kind());
        assertEquals(
                "cloud scripted has no block-storage service in region r1 with interface [public]; its regions are [r1]",
                failure.getMessage());
        assertFalse(client.has(Service.BLOCK_STORAGE).get(20, TimeUnit.SECONDS));
        assertTrue(client.has(Service.IMAGE).get(20, TimeUnit.SECONDS));
    }

    @Test
    void versions_are_found_under_the_catalogs_own_host() throws Exception {
        cloud.answer("GET /image/", Answer.of(300, """
                {"versions": [{"id": "v2.9", "links": [{"rel": "self", "href": "http://inside:9/image/v2/"}]},
                              {"id": "v1.0", "links": [{"rel": "self", "href": "http://inside:9/image/v1/"}]}]}"""));
        cloud.answer("GET /image/v2/images", Answer.of(200, "{}"));
        send(Call.get(Service.IMAGE, "/images"));
        assertEquals(
                Optional.of(new Version(2, 93)),
                client.newestMicroversion(Service.COMPUTE).get(20, TimeUnit.SECONDS));
    }

    @Test
    void an_address_without_version_leads_to_the_newest_identity_version() throws Exception {
        cloud.answer("GET /", Answer.of(300, """
                {"versions": {"values": [{"id": "v3.14", "links": [{"rel": "self", "href": "%s/v3/"}]}]}}""".formatted(cloud.url())));
        try (OpenStackClient old = client(cloud.settings(tls(true, Optional.empty()), cloud.url() + "/v2.0"))) {
            old.send(LIST).get(20, TimeUnit.SECONDS);
        }
    }

    @Test
    void microversions_are_asked_for_in_both_headers_words() throws Exception {
        cloud.answer(MAKE_LINE, Answer.of(202, "{}"));
        send(MAKE.withMicroversion("2.37"));
        assertEquals(Optional.of("compute 2.37"), cloud.asked(MAKE_LINE).get(0).microversion());
    }

    @Test
    void a_redirection_on_the_same_host_is_followed() throws Exception {
        cloud.answer(LIST_LINE, new Answer(302, "", Map.of("Location", "/elsewhere")));
        cloud.answer("GET /elsewhere", FINE);
        send(LIST);
        cloud.answer(LIST_LINE, new Answer(302, "", Map.of("Location", "http://127.0.0.1:1/elsewhere")));
        assertTrue(fails(LIST).isStatus(302));
    }

    @Test
    void a_file_is_sent_as_it_is(@TempDir Path folder) throws Exception {
        Path file = Files.writeString(folder.resolve("image"), "0123456789".repeat(100_000));
        cloud.answer("PUT /image/v2/images/1/file", Answer.of(204, ""));
        send(Call.upload(Service.IMAGE, "/images/1/file", file, Duration.ofSeconds(20)));
        assertEquals(
                Files.readString(file),
                cloud.asked("PUT /image/v2/images/1/file").get(0).body());
    }

    @Test
    void certificates_are_checked_unless_told_not_to(@TempDir Path folder) throws Exception {
        TlsFiles files = TlsFiles.make(folder);
        Tls server = new Tls(true, Optional.of(files.authority()), Optional.of(files.server()), Optional.empty());
        try (ScriptedCloud secure = ScriptedCloud.start(TlsContext.of(server))) {
            secure.answer(LIST_LINE, FINE);
            String url = secure.url() + "/v3";
            try (OpenStackClient strict = client(secure.settings(tls(true, Optional.empty()), url))) {
                CallFailure failure = fails(strict, LIST);
                assertEquals(Kind.UNTRUSTED, failure.kind());
                assertTrue(failure.getMessage().contains("TLS"), failure.getMessage());
            }
            try (OpenStackClient knowing = client(secure.settings(tls(true, Optional.of(files.authority())), url))) {
                knowing.send(LIST).get(20, TimeUnit.SECONDS);
            }
            try (OpenStackClient careless = client(secure.settings(tls(false, Optional.empty()), url))) {
                careless.send(LIST).get(20, TimeUnit.SECONDS);
            }
        }
    }

    @Test
    void a_file_of_authorities_that_cannot_be_used_is_named(@TempDir Path folder) throws IOException {
        Path empty = Files.createFile(folder.resolve("empty.pem"));
        CallFailure failure =
                assertThrows(CallFailure.class, () -> client(cloud.settings(tls(true, Optional.of(empty)), "x")));
        assertTrue(failure.getMessage().contains(empty.toString()), failure.getMessage());
    }

    @Test
    void a_closed_client_fails_what_is_under_way() throws Exception {
        send(LIST);
        cloud.answer(LIST_LINE, Answer.of(0, ""));
        CompletableFuture<Reply> call = client.send(LIST);
        client.close();
        ExecutionException failed = assertThrows(ExecutionException.class, () -> call.get(20, TimeUnit.SECONDS));
        assertEquals(Kind.CLOSED, Failures.of(failed).kind());
    }

    private static Tls tls(boolean verify, Optional<Path> authorities) {
        return new Tls(verify, authorities, Optional.empty(), Optional.empty());
    }

    private Reply send(Call call) throws Exception {
        return client.send(call).get(20, TimeUnit.SECONDS);
    }

    private CallFailure fails(Call call) {
        return fails(client, call);
    }

    private static CallFailure fails(OpenStackClient client, Call call) {
        return Failures.of(
                assertThrows(ExecutionException.class, () -> client.send(call).get(20, TimeUnit.SECONDS)));
    }
}
