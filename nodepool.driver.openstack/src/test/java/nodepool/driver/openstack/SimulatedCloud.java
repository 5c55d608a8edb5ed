package nodepool.driver.openstack;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadLocalRandom;
import nodepool.api.config.ConfigurationReader;
import nodepool.api.driver.Provider;
import nodepool.api.driver.ProviderConfig;
import nodepool.api.driver.ProviderContext;
import nodepool.driver.openstack.cloud.Caller;
import nodepool.driver.openstack.clouds.CloudFiles;
import nodepool.driver.openstack.http.CallFailure;
import nodepool.driver.openstack.http.OpenStackClient;
import nodepool.driver.statemachine.StateMachineProvider;
import nodepool.testkit.ManualClock;
import nodepool.testkit.contract.CloudUnderTest;
import nodepool.testkit.contract.FaultPoints;

/**
 * Identity, compute and image services in memory, behind a socket, whose every call the contract kit can break. The real
 * services cannot be broken at the n-th call and do not live by a clock that a test turns.
 */
final class SimulatedCloud implements CloudUnderTest {

    private static final Duration BUILD = Duration.ofSeconds(2);
    private static final ObjectMapper JSON = new ObjectMapper();

    private record Kept(String id, ObjectNode document, Instant activeAt) {}

    private final ManualClock clock;
    private final FaultPoints faults;
    private final HttpServer server;
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final Map<String, Kept> servers = new LinkedHashMap<>();
    private final OpenStackConfig config;
    private int made;

    SimulatedCloud(ManualClock clock, FaultPoints faults, Path folder) throws IOException {
        this.clock = clock;
        this.faults = faults;
        this.server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(threads);
        server.createContext("/", this::handle);
        server.start();
        this.config = read(folder);
    }

    private String url() {
        return "http://127.0.0.1:" + server.getAddress().getPort();
    }

    private OpenStackConfig read(Path folder) throws IOException {
        Files.writeString(folder.resolve("clouds.yaml"), """
                clouds: {c: {auth: {auth_url: '%s/v3', username: u, password: p, project_name: j}, api_timeout: 2}}""".formatted(url()));
        Path file = Files.writeString(folder.resolve("nodepool.yaml"), """
                zookeeper-servers: [{host: 127.0.0.1}]
                labels: [{name: small}]
                providers:
                  - {name: simulated, driver: openstack, cloud: c, rate: 0, cloud-images: [{name: base}], pools: [
                     {name: main, labels: [{name: small, cloud-image: base, min-ram: 1}]}]}
                """);
        CloudFiles files = new CloudFiles(Map.of(), folder, folder);
        return (OpenStackConfig) ServiceLoader.load(ConfigurationReader.class)
                .findFirst()
                .orElseThrow()
                .read(file, Optional.empty(), Map.of(), List.of(new OpenStackDriver(files)))
                .configuration()
                .orElseThrow()
                .provider("simulated")
                .flatMap(entry -> entry.config())
                .orElseThrow();
    }

    @Override
    public ProviderConfig config() {
        return config;
    }

    @Override
    public Provider open(ProviderContext context) {
        try {
            OpenStackClient client = new OpenStackClient(
                    config.name(),
                    config.chosen().settings().orElseThrow(),
                    Map.of(),
                    context.clock(),
                    (service, method, operation, status, took) -> {});
            OpenStackAdapter adapter = new OpenStackAdapter(
                    config,
                    config.chosen().settings().orElseThrow(),
                    new Caller(config.name(), client, config.callInterval()),
                    new OpenStackAdapter.Surroundings(
                            Runnable::run, context.clock(), clock.nanoTime(), false, context.events()));
            return new StateMachineProvider(
                    config.name(),
                    adapter,
                    context,
                    pool -> List.of(),
                    bound -> ThreadLocalRandom.current().nextInt(bound));
        } catch (CallFailure e) {
            throw new AssertionError(e);
        }
    }

    @Override
    public synchronized List<Machine> machines() {
        return servers.values().stream()
                .map(kept ->
                        new Machine(kept.id(), JSON.convertValue(kept.document().path("metadata"), StringMap.class)))
                .toList();
    }

    /** What Jackson needs to know about a map of texts. */
    private static final class StringMap extends LinkedHashMap<String, String> {
        private static final long serialVersionUID = 1L;
    }

    @Override
    public synchronized void plant(Map<String, String> metadata) {
        ObjectNode document = JsonNodeFactory.instance.objectNode().put("name", "planted");
        document.set("metadata", JSON.valueToTree(metadata));
        keep(document);
    }

    @Override
    public synchronized void remove(String id) {
        servers.remove(id);
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }

    private String keep(ObjectNode document) {
        String id = "server-" + ++made;
        servers.put(id, new Kept(id, document, clock.instant().plus(BUILD)));
        return id;
    }

    private void handle(HttpExchange exchange) throws IOException {
        byte[] body = exchange.getRequestBody().readAllBytes();
        switch (faults.next()) {
            case NONE -> answer(exchange, answerTo(exchange, body));
            case ERROR -> answer(exchange, new Answer(500, "{\"computeFault\": {\"message\": \"broken\"}}"));
            case LOST_ANSWER -> {
                answerTo(exchange, body);
                exchange.close();
            }
            case NO_ANSWER -> faults.awaitEnd();
            case QUOTA -> answer(exchange, new Answer(403, "{\"forbidden\": {\"message\": \"Quota exceeded\"}}"));
            case RATE_LIMIT -> {
                exchange.getResponseHeaders().set("Retry-After", "1");
                answer(exchange, new Answer(429, "{\"overLimit\": {\"message\": \"slow down\"}}"));
            }
        }
    }

    private record Answer(int status, String body) {}

    private static void answer(HttpExchange exchange, Answer answer) throws IOException {
        byte[] bytes = answer.body().getBytes(StandardCharsets.UTF_8);
        exchange.sendResponseHeaders(answer.status(), bytes.length == 0 ? -1 : bytes.length);
        exchange.getResponseBody().write(bytes);
        exchange.close();
    }

    private synchronized Answer answerTo(HttpExchange exchange, byte[] body) throws IOException {
        String path = exchange.getRequestURI().getPath();
        String one = path.startsWith("/compute/v2.1/servers/") ? path.substring("/compute/v2.1/servers/".length()) : "";
        return switch (exchange.getRequestMethod() + " " + (one.isEmpty() || one.equals("detail") ? path : "server")) {
            case "POST /v3/auth/tokens" -> {
                exchange.getResponseHeaders().set("X-Subject-Token", "token");
                yield new Answer(201, catalog());
            }
            case "GET /compute/v2.1/" ->
                new Answer(200, "{\"version\": {\"id\": \"v2.1\", \"version\": \"2.93\", \"links\": []}}");
            case "GET /compute/v2.1/os-availability-zone" -> new Answer(200, "{\"availabilityZoneInfo\": []}");
            case "GET /compute/v2.1/limits" -> new Answer(200, "{\"limits\": {\"absolute\": {\"maxTotalCores\": 99}}}");
            case "GET /compute/v2.1/flavors/detail" ->
                new Answer(200, "{\"flavors\": [{\"id\": \"f\", \"name\": \"f\", \"ram\": 1, \"vcpus\": 1}]}");
            case "GET /image/v2/images" ->
                new Answer(200, "{\"images\": [{\"id\": \"i\", \"name\": \"base\", \"status\": \"active\"}]}");
            case "GET /compute/v2.1/servers/detail" -> new Answer(200, listing());
            case "POST /compute/v2.1/servers" ->
                new Answer(202, "{\"server\": {\"id\": \"%s\"}}".formatted(keep((ObjectNode)
                                JSON.readTree(body).path("server"))));
            case "GET server" ->
                servers.containsKey(one)
                        ? new Answer(200, "{\"server\": " + shown(servers.get(one)) + "}")
                        : new Answer(404, "{}");
            case "DELETE server" -> new Answer(servers.remove(one) == null ? 404 : 204, "");
            default -> new Answer(404, "{}");
        };
    }

    private String catalog() {
        return """
                {"token": {"expires_at": "2099-01-01T00:00:00Z", "catalog": [
                  {"type": "compute", "endpoints": [{"interface": "public", "url": "%s/compute/v2.1"}]},
                  {"type": "image", "endpoints": [{"interface": "public", "url": "%s/image/v2"}]}]}}""".formatted(url(), url());
    }

    private String listing() {
        return "{\"servers\": " + servers.values().stream().map(this::shown).toList() + "}";
    }

    private JsonNode shown(Kept kept) {
        ObjectNode shown = JsonNodeFactory.instance.objectNode();
        boolean active = !clock.instant().isBefore(kept.activeAt());
        shown.put("id", kept.id())
                .put("name", kept.document().path("name").asText())
                .put("status", active ? "ACTIVE" : "BUILD");
        shown.set("metadata", kept.document().path("metadata"));
        shown.putObject("flavor").put("id", "f");
        shown.putObject("addresses")
                .putArray("net")
                .addObject()
                .put("addr", "192.0.2.1")
                .put("version", 4);
        return shown;
    }
}
