package nodepool.webapp.rest;

import static nodepool.webapp.WebScene.done;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import nodepool.api.node.Node;
import nodepool.api.node.NodeState;
import nodepool.api.quota.QuotaInformation;
import nodepool.api.registry.ProviderStatus;
import nodepool.api.request.NodeRequest;
import nodepool.api.verdict.Account;
import nodepool.api.verdict.Reason;
import nodepool.api.verdict.Verdict;
import nodepool.webapp.WebScene;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The REST interface over HTTP, on records in a real ZooKeeper. */
class ApiTest {

    private static final ObjectMapper JSON = new ObjectMapper();

    @TempDir
    private Path folder;

    private WebScene web;

    @BeforeEach
    void open() throws Exception {
        web = new WebScene(folder);
    }

    @AfterEach
    void close() {
        web.close();
    }

    private Node node(String provider, NodeState state, Duration age) throws Exception {
        Node stored = done(web.stores()
                .nodes()
                .create(Node.draft(
                        state,
                        List.of("tiny", "small"),
                        Node.Place.in(provider, "main"),
                        Node.Machine.NONE,
                        web.clock.instant().minus(age))));
        web.await(snapshot -> snapshot.node(stored.id()).isPresent());
        return stored;
    }

    private JsonNode get(String path) throws Exception {
        HttpResponse<String> answer = web.get(path);
        assertEquals(200, answer.statusCode(), () -> path + ": " + answer.body());
        assertEquals(
                "application/json", answer.headers().firstValue("Content-Type").orElse(""));
        return JSON.readTree(answer.body());
    }

    private List<String> ids(String query) throws Exception {
        List<String> ids = new ArrayList<>();
        get("/api/v1/nodes" + query)
                .get("items")
                .forEach(item -> ids.add(item.get("id").asText()));
        return ids;
    }

    @Test
    void nodes_are_chosen_sorted_and_paged() throws Exception {
        Node old = node("east", NodeState.READY, Duration.ofHours(2));
        Node held = node("east", NodeState.HOLD, Duration.ofMinutes(1));
        Node west = node("west", NodeState.READY, Duration.ofMinutes(2));

        assertEquals(List.of(old.id(), held.id(), west.id()), ids(""));
        assertEquals(List.of(old.id(), held.id()), ids("?provider=east"));
        assertEquals(List.of(old.id(), west.id()), ids("?state=ready,used&label=small"));
        assertEquals(List.of(), ids("?label=big"));
        assertEquals(List.of(old.id()), ids("?min_age=3600"));
        assertEquals(List.of(held.id(), west.id(), old.id()), ids("?sort=-state_time"));
        assertEquals(List.of(west.id()), ids("?offset=2&limit=5"));
        JsonNode page = get("/api/v1/nodes?limit=1&fields=state,id");
        assertEquals(3, page.get("total").asInt());
        assertEquals(
                "{\"state\":\"ready\",\"id\":\"0000000000\"}",
                page.get("items").get(0).toString());
    }

    @Test
    void one_node_is_found_by_its_id() throws Exception {
        Node node = node("east", NodeState.READY, Duration.ZERO);
        assertEquals("east", get("/api/v1/nodes/" + node.id()).get("provider").asText());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/api/v1",
                "/api/v1/",
                "/api/v1/nonsense",
                "/api/v1/nodes/",
                "/api/v1/nodes/7",
                "/api/v1/nodes/0000000000/more",
                "/api/v1/requests/..",
                "/api/v1/requests/100-0000000000/accounts",
                "/api/v1/requests/x%20y/accounts",
                "/api/v1/uploads/0000000000"
            })
    void what_is_not_there_is_not_found(String path) throws Exception {
        HttpResponse<String> answer = web.get(path);
        assertEquals(404, answer.statusCode(), answer.body());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "nonsense=1",
                "fields=id,nonsense",
                "sort=nonsense",
                "limit=-1",
                "limit=10001",
                "limit=many",
                "offset=99999999999",
                "min_age=-5"
            })
    void parameters_that_make_no_sense_are_named(String query) throws Exception {
        HttpResponse<String> answer = web.get("/api/v1/nodes?" + query);
        assertEquals(400, answer.statusCode());
        assertTrue(
                JSON.readTree(answer.body()).get("message").asText().contains(query.replaceAll("[=,].*", ""))
                        || answer.body().contains("nonsense"),
                answer.body());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/api/v1/nodes/%2e%2e/%2e%2e/x",
                "/api/v1/nodes/..%2f..%2fetc",
                "/api/v1/nodes/a%00b",
                "/api/v1/;x=/nodes"
            })
    void tricks_with_paths_are_refused(String path) throws Exception {
        int status = web.get(path).statusCode();
        assertTrue(status == 400 || status == 404, path + ": " + status);
    }

    @Test
    void a_request_says_why_it_waits_and_what_was_done() throws Exception {
        NodeRequest request = done(web.stores()
                .requests()
                .create(
                        NodeRequest.draft(
                                NodeRequest.Wanted.of(List.of("tiny")),
                                NodeRequest.Asker.named("zuul"),
                                web.clock.instant()),
                        "100",
                        false));
        Account account = new Account(
                        request.id(),
                        "east",
                        "main",
                        "launcher-1",
                        new Verdict.Defer(Reason.of(Reason.Code.QUOTA_FULL, "cores: asked 4, 2 free")),
                        web.clock.instant(),
                        List.of())
                .with(Account.Moment.of(web.clock.instant(), Account.What.ACCEPTED, "took it"));
        done(web.stores().accounts().write("launcher-1", List.of(account)));

        JsonNode told = get("/api/v1/requests/" + request.id() + "/accounts")
                .get("items")
                .get(0);
        assertEquals("defer", told.get("verdict").get("answer").asText());
        assertEquals("quota-full", told.get("verdict").get("reason").get("code").asText());
        assertEquals(
                "cores: asked 4, 2 free",
                told.get("verdict").get("reason").get("detail").asText());
        assertEquals("2026-01-01T00:00:00Z", told.get("since").asText());
        assertEquals("accepted", told.get("timeline").get(0).get("what").asText());
    }

    @Test
    void providers_tell_their_pools_use_and_room() throws Exception {
        QuotaInformation limits = QuotaInformation.limits(Map.of("instances", 10.0, "cores", Double.POSITIVE_INFINITY));
        web.providers.add(new ProviderStatus.Provider(
                "east",
                "openstack",
                true,
                Optional.empty(),
                limits,
                List.of(new ProviderStatus.Pool(
                        "main",
                        Set.of("tiny"),
                        limits,
                        QuotaInformation.needs(0, 3, 0),
                        limits.minus(QuotaInformation.needs(0, 3, 0))))));
        JsonNode provider = get("/api/v1/providers").get("items").get(0);
        assertTrue(provider.get("in_service").asBoolean());
        assertTrue(provider.get("trouble").isNull());
        JsonNode pool = get("/api/v1/pools").get("items").get(0);
        assertEquals("{\"instances\":10}", pool.get("limits").toString());
        assertEquals(3, pool.get("used").get("instances").asInt());
        assertEquals(7, pool.get("room").get("instances").asInt());
    }

    @Test
    void every_path_of_the_description_answers_and_nothing_else_is_told_than_it_says() throws Exception {
        node("east", NodeState.READY, Duration.ZERO);
        JsonNode paths = get("/api/v1/openapi.json").get("paths");
        Set<String> without = new TreeSet<>();
        paths.fieldNames().forEachRemaining(path -> {
            if (!path.contains("{") && !path.endsWith("/events")) {
                without.add(path);
            }
        });
        assertEquals(12, without.size(), without::toString);
        for (String path : without) {
            JsonNode answer = get(path);
            JsonNode schema = paths.get(path)
                    .get("get")
                    .get("responses")
                    .get("200")
                    .get("content")
                    .get("application/json")
                    .get("schema");
            if (schema.has("properties")) {
                answer.fieldNames()
                        .forEachRemaining(
                                name -> assertTrue(schema.get("properties").has(name), name));
                JsonNode item =
                        schema.get("properties").get("items").get("items").get("properties");
                answer.get("items")
                        .forEach(row -> row.fieldNames().forEachRemaining(name -> assertTrue(item.has(name), name)));
            }
        }
    }

    @Test
    void nothing_can_be_changed_by_a_method_that_is_not_known() throws Exception {
        assertEquals(405, web.send("DELETE", "/api/v1/nodes/0000000000").statusCode());
        assertEquals(
                "",
                web.get("/api/v1/nodes")
                        .headers()
                        .firstValue("Access-Control-Allow-Origin")
                        .orElse(""));
    }
}
