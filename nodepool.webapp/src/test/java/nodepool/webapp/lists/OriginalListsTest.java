package nodepool.webapp.lists;

import static nodepool.webapp.WebScene.done;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import nodepool.api.image.ImageBuild;
import nodepool.api.image.ImageLogin;
import nodepool.api.image.ImageState;
import nodepool.api.image.ImageUpload;
import nodepool.api.json.Stored;
import nodepool.api.monitor.HealthCheck;
import nodepool.api.node.Node;
import nodepool.api.node.NodeState;
import nodepool.api.quota.QuotaInformation;
import nodepool.api.registry.ProviderStatus;
import nodepool.api.registry.Registration;
import nodepool.api.request.NodeRequest;
import nodepool.api.store.HeldLock;
import nodepool.config.YamlConfigurationReader;
import nodepool.webapp.WebScene;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The original's pages over HTTP, on records in a real ZooKeeper. */
class OriginalListsTest {

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String BUILD = "0123456789abcdef0123456789abcdef";

    @TempDir
    private Path folder;

    private WebScene web;

    @BeforeEach
    void open() throws Exception {
        web = new WebScene(folder);
    }

    @AfterEach
    void close() throws Exception {
        web.close();
    }

    private Node node(String label, String hostname) throws Exception {
        Node draft = Node.draft(
                        NodeState.READY,
                        List.of(label),
                        Node.Place.in("aurora", "main"),
                        Node.Machine.NONE.withHostname(hostname),
                        web.clock.instant().minus(Duration.parse("P1DT2H3M4S")))
                .withUse(new Node.Use(
                        Optional.of("<script>alert(1)</script>"),
                        Node.Use.NONE.userData(),
                        Optional.empty(),
                        Node.Use.NONE.holdExpiration()));
        Node stored = done(web.stores().nodes().create(draft));
        web.await(snapshot -> snapshot.node(stored.id()).isPresent());
        return stored;
    }

    private static List<String> keys(JsonNode object) {
        List<String> keys = new ArrayList<>();
        object.fieldNames().forEachRemaining(keys::add);
        return keys;
    }

    @Test
    void the_table_of_chosen_columns_is_the_command_lines() throws Exception {
        node("tiny", "host");
        HttpResponse<String> answer = web.get("/node-list?fields=state,id,age,provider,nonsense");
        assertEquals("""
                +------------+----------+-------+-------------+
                | ID         | Provider | State | Age         |
                +------------+----------+-------+-------------+
                | 0000000000 | aurora   | ready | 01:02:03:04 |
                +------------+----------+-------+-------------+""", answer.body());
        assertEquals(
                "text/plain;charset=utf-8",
                answer.headers()
                        .firstValue("Content-Type")
                        .orElse("")
                        .toLowerCase(Locale.ROOT)
                        .replace(" ", ""));
        assertEquals(
                "*", answer.headers().firstValue("Access-Control-Allow-Origin").orElse(""));
        assertEquals(
                "max-age=1, public",
                answer.headers().firstValue("Cache-Control").orElse(""));
    }

    @Test
    void the_table_has_all_columns_of_the_original() throws Exception {
        node("tiny", "host");
        String header = web.get("/node-list").body().split("\n")[1];
        assertEquals(
                "ID Provider Label Server ID Public IPv4 IPv6 State Age Locked Pool Hostname Private IPv4 AZ Username Port"
                        + " Launcher Allocated To Hold Job Comment User Data Driver Data",
                header.replaceAll("[| ]+", " ").trim());
    }

    @Test
    void json_has_all_keys_in_order_whatever_fields_says() throws Exception {
        node("tiny", "h\u00f6st");
        HttpResponse<String> answer = web.get("/node-list?fields=id", "Accept", "application/json");
        assertEquals(
                "application/json", answer.headers().firstValue("Content-Type").orElse(""));
        JsonNode rows = JSON.readTree(answer.body());
        assertEquals(1, rows.size());
        assertEquals(OriginalList.NODES.keys(), keys(rows.get(0)).subList(0, 21));
        assertEquals("01:02:03:04", rows.get(0).get("age").asText());
        assertEquals("unlocked", rows.get(0).get("locked").asText());
        assertTrue(rows.get(0).get("server_id").isNull());
        assertEquals("tiny", rows.get(0).get("label").get(0).asText());
        assertEquals("h\u00f6st", rows.get(0).get("hostname").asText());
        assertTrue(answer.body().chars().allMatch(c -> c < 128), "JSON is ASCII");
    }

    @Test
    void one_node_is_found_by_its_id_long_or_short() throws Exception {
        node("tiny", "one");
        Node second = node("tiny", "two");
        for (String id : List.of(second.id(), "1")) {
            JsonNode rows = JSON.readTree(web.get("/node-list?node_id=" + id, "Accept", "application/json")
                    .body());
            assertEquals(1, rows.size());
            assertEquals("two", rows.get(0).get("hostname").asText());
        }
        assertEquals("[]", web.get("/node-list?node_id=9999999999&format=json").body());
    }

    @Test
    void requests_are_listed() throws Exception {
        NodeRequest request = done(web.stores()
                .requests()
                .create(
                        NodeRequest.draft(
                                NodeRequest.Wanted.of(List.of("tiny", "big")),
                                NodeRequest.Asker.named("zuul"),
                                web.clock.instant()),
                        "100",
                        false));
        web.await(snapshot -> snapshot.request(request.id()).isPresent());
        JsonNode row = JSON.readTree(
                        web.get("/request-list", "Accept", "application/json").body())
                .get(0);
        assertEquals(OriginalList.REQUESTS.keys(), keys(row).subList(0, 8));
        assertEquals("100-0000000000", row.get("id").asText());
        assertEquals(0, row.get("relative_priority").asInt(-1));
        assertEquals("requested", row.get("state").asText());
        assertEquals(2, row.get("node_types").size());
    }

    @Test
    void ages_of_images_are_unix_times_for_programs_and_ages_for_people() throws Exception {
        ImageLogin login = new ImageLogin(Optional.empty(), Optional.empty(), Optional.empty());
        HeldLock lock = done(web.stores().images().tryLockBuilds("debian")).orElseThrow();
        done(web.stores()
                .images()
                .create(
                        new ImageBuild(
                                "debian",
                                BUILD,
                                ImageState.READY,
                                web.clock.instant(),
                                Optional.of("builder"),
                                Optional.empty(),
                                List.of("qcow2"),
                                login,
                                Stored.NEVER),
                        lock));
        HeldLock uploads = done(web.stores().images().tryLockUploads("debian", BUILD, "aurora"))
                .orElseThrow();
        done(web.stores()
                .images()
                .create(
                        new ImageUpload(
                                "debian",
                                BUILD,
                                "aurora",
                                "",
                                ImageState.READY,
                                web.clock.instant(),
                                Optional.of("external"),
                                Optional.empty(),
                                Optional.of("qcow2"),
                                login,
                                Stored.NEVER),
                        uploads));
        done(web.stores().images().unlock(uploads));
        done(web.stores().images().unlock(lock));
        done(web.stores().imageMarks().requestBuild("debian"));
        web.await(snapshot -> !snapshot.uploads("debian").isEmpty() && snapshot.isBuildRequested("debian"));
        long now = web.clock.instant().getEpochSecond();

        JsonNode build =
                JSON.readTree(web.get("/dib-image-list?format=json").body()).get(0);
        assertEquals(OriginalList.BUILDS.keys(), keys(build).subList(0, 6));
        assertEquals("debian-" + BUILD, build.get("id").asText());
        assertEquals(now, build.get("age").asLong());
        JsonNode upload =
                JSON.readTree(web.get("/image-list?format=json").body()).get(0);
        assertEquals(OriginalList.UPLOADS.keys(), keys(upload).subList(0, 8));
        assertEquals(now, upload.get("age").asLong());
        JsonNode image =
                JSON.readTree(web.get("/image-status?format=json").body()).get(0);
        assertEquals("pending", image.get("build_request").asText());
        assertTrue(image.get("build_request_age").isIntegralNumber());
        assertFalse(image.get("paused").asBoolean(true));
        assertTrue(web.get("/dib-image-list").body().contains("| ready | 00:00:00:00 |"));
    }

    @Test
    void labels_are_those_that_registered_pools_offer_sorted() throws Exception {
        done(web.stores()
                .components()
                .register(new Registration(
                        "host",
                        Registration.Kind.POOL,
                        0,
                        "running",
                        Optional.empty(),
                        Optional.of(new Registration.Pool(
                                "host-PoolWorker.aurora-main-1",
                                Optional.of("main"),
                                "aurora",
                                List.of("tiny", "big"),
                                100,
                                false)))));
        web.await(snapshot -> !snapshot.components().isEmpty());
        assertEquals("""
                +-------+
                | Label |
                +-------+
                | big   |
                | tiny  |
                +-------+""", web.get("/label-list").body());
    }

    @ParameterizedTest
    @ValueSource(strings = {"node-list", "image-list", "dib-image-list", "image-status", "request-list", "label-list"})
    void an_empty_list_is_an_empty_array_or_a_frame(String list) throws Exception {
        assertEquals("[]", web.get("/" + list, "Accept", "application/json").body());
        String[] lines = web.get("/" + list).body().split("\n");
        assertEquals(4, lines.length);
        assertEquals(lines[0], lines[3]);
        assertEquals("++\n||\n++\n++", web.get("/" + list + "?fields=nonsense").body());
    }

    @Test
    void an_answer_that_is_known_is_not_sent_again() throws Exception {
        HttpResponse<String> first = web.get("/node-list");
        String tag = first.headers().firstValue("ETag").orElseThrow();
        assertEquals(304, web.get("/node-list", "If-None-Match", tag).statusCode());
        assertEquals(
                304,
                web.get("/node-list", "If-None-Match", "\"other\", W/" + tag).statusCode());
        assertEquals(200, web.get("/node-list", "If-None-Match", "\"other\"").statusCode());
        String modified = first.headers().firstValue("Last-Modified").orElseThrow();
        assertEquals(304, web.get("/node-list", "If-Modified-Since", modified).statusCode());
        assertEquals(
                200, web.get("/node-list", "If-Modified-Since", "yesterday").statusCode());
    }

    @Test
    void what_changed_is_seen_after_a_second_at_most() throws Exception {
        assertEquals("[]", web.get("/node-list?format=json").body());
        node("tiny", "host");
        assertEquals("[]", web.get("/node-list?format=json").body());
        web.clock.advance(Duration.ofSeconds(1));
        assertEquals(1, JSON.readTree(web.get("/node-list?format=json").body()).size());
    }

    @Test
    void head_has_the_headers_only() throws Exception {
        HttpResponse<String> answer = web.send("HEAD", "/node-list");
        assertEquals(200, answer.statusCode());
        assertEquals("", answer.body());
        assertTrue(answer.headers().firstValueAsLong("Content-Length").orElse(0) > 100);
    }

    @ParameterizedTest
    @ValueSource(strings = {"POST", "PUT", "DELETE", "PATCH", "TRACE", "NONSENSE"})
    void nothing_else_is_allowed(String method) throws Exception {
        HttpResponse<String> answer = web.send(method, "/node-list");
        assertEquals(405, answer.statusCode());
        assertEquals("GET, HEAD, OPTIONS", answer.headers().firstValue("Allow").orElse(""));
        assertEquals(
                "*", answer.headers().firstValue("Access-Control-Allow-Origin").orElse(""));
    }

    @Test
    void nothing_acceptable_and_unknown_formats_are_errors() throws Exception {
        HttpResponse<String> answer = web.get("/node-list", "Accept", "image/png");
        assertEquals(406, answer.statusCode());
        assertEquals(406, JSON.readTree(answer.body()).get("code").asInt());
        assertEquals(400, web.get("/node-list?format=xml").statusCode());
    }

    @Test
    void without_zookeeper_it_says_so_and_when_to_come_again() throws Exception {
        web.state.unset(web.stores());
        HttpResponse<String> answer = web.get("/node-list");
        assertEquals(503, answer.statusCode());
        assertEquals("5", answer.headers().firstValue("Retry-After").orElse(""));
        assertEquals(
                "*", answer.headers().firstValue("Access-Control-Allow-Origin").orElse(""));
    }

    @Test
    void not_ready_says_why() throws Exception {
        HttpResponse<String> answer = web.get("/ready", "Accept", "application/json");
        assertEquals(503, answer.statusCode());
        assertFalse(JSON.readTree(answer.body()).get("ready").asBoolean(true));
        assertEquals(
                "no configuration could be used yet",
                JSON.readTree(answer.body()).get("reasons").get(0).asText());
    }

    @Test
    void whoever_watches_the_process_is_answered() throws Exception {
        assertEquals("OK", web.get("/healthz").body());
        assertEquals("up 1\n", web.get("/metrics").body());
        assertEquals(
                "text/plain;version=0.0.4;charset=utf-8",
                web.get("/metrics")
                        .headers()
                        .firstValue("Content-Type")
                        .orElse("")
                        .replace(" ", ""));
    }

    @ParameterizedTest
    @ValueSource(strings = {"/node-list/", "/nonsense", "/lib/", "/lib/preact.LICENSE", "/index.html/x"})
    void whatever_else_is_asked_for_is_not_there(String path) throws Exception {
        HttpResponse<String> answer = web.get(path, "Accept", "application/json");
        assertEquals(404, answer.statusCode());
        assertEquals(404, JSON.readTree(answer.body()).get("code").asInt());
        assertEquals(
                "*", answer.headers().firstValue("Access-Control-Allow-Origin").orElse(""));
    }

    @Test
    void ready_is_what_has_all_its_providers_and_no_part_that_failed() throws Exception {
        Path file = folder.resolve("nodepool.yaml");
        Files.writeString(file, "zookeeper-servers: [{host: localhost}]\nproviders: [{name: east, driver: fake}]\n");
        web.configuration.set(new YamlConfigurationReader()
                .read(file, Optional.empty(), Map.of(), List.of())
                .configuration()
                .orElseThrow());
        assertTrue(web.get("/ready").body().contains("provider east: driver fake is absent"));
        web.providers.add(new ProviderStatus.Provider(
                "east", "fake", true, Optional.empty(), QuotaInformation.UNLIMITED, List.of()));
        assertEquals("OK", web.get("/ready").body());
        web.health.add(HealthCheck.Health.failed("disk", "full"));
        assertEquals(503, web.get("/ready").statusCode());
        assertEquals("disk: full\n", web.get("/ready").body());
    }

    @Test
    void browsers_are_told_to_run_nothing() throws Exception {
        HttpResponse<String> answer = web.get("/node-list");
        assertEquals(
                "nosniff", answer.headers().firstValue("X-Content-Type-Options").orElse(""));
        assertTrue(answer.headers()
                .firstValue("Content-Security-Policy")
                .orElse("")
                .startsWith("default-src 'none'; script-src 'self'"));
    }
}
