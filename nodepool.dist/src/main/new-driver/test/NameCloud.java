package nodepool.driver.@name@;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.Collectors;
import nodepool.api.driver.Provider;
import nodepool.api.driver.ProviderConfig;
import nodepool.api.driver.ProviderContext;
import nodepool.config.YamlConfigurationReader;
import nodepool.driver.@name@.@Name@Api.Server;
import nodepool.testkit.ManualClock;
import nodepool.testkit.contract.Break;
import nodepool.testkit.contract.CloudUnderTest;
import nodepool.testkit.contract.FaultPoints;

/** A simulated cloud: an HTTP server on a loopback port that misbehaves as the kit says. */
final class @Name@Cloud implements CloudUnderTest {

    private static final Duration BOOT = Duration.ofSeconds(10);

    private final ManualClock clock;
    private final FaultPoints faults;
    private final Map<String, Server> servers = Collections.synchronizedMap(new LinkedHashMap<>());
    private final Map<String, Instant> upAt = Collections.synchronizedMap(new LinkedHashMap<>());
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final HttpServer http;
    private int made;

    @Name@Cloud(ManualClock clock, FaultPoints faults) throws IOException {
        this.clock = clock;
        this.faults = faults;
        this.http = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        http.setExecutor(threads);
        http.createContext("/servers/", this::serve);
        http.start();
    }

    private void serve(HttpExchange exchange) throws IOException {
        try (exchange) {
            String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
            Break what = faults.next();
            switch (what) {
                case ERROR -> answer(exchange, 500, "something broke");
                case QUOTA -> answer(exchange, 403, "quota exceeded");
                case RATE_LIMIT -> answer(exchange, 429, "too many requests");
                case NO_ANSWER -> faults.awaitEnd();
                case LOST_ANSWER -> done(exchange, body);
                case NONE -> answer(exchange, 200, done(exchange, body));
            }
        }
    }

    private String done(HttpExchange exchange, String body) {
        String id = exchange.getRequestURI().getPath().replace("/servers/", "");
        switch (exchange.getRequestMethod()) {
            case "POST" -> {
                String[] words = body.split("\t", 4);
                return add(words.length > 3 ? words[3] : "");
            }
            case "DELETE" -> {
                remove(id);
                return "";
            }
            default -> {
                return listing().stream().map(@Name@Cloud::line).collect(Collectors.joining("\n"));
            }
        }
    }

    private static void answer(HttpExchange exchange, int status, String body) throws IOException {
        byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
        exchange.sendResponseHeaders(status, bytes.length == 0 ? -1 : bytes.length);
        exchange.getResponseBody().write(bytes);
    }

    private synchronized String add(String metadata) {
        String id = "server-" + ++made;
        upAt.put(id, clock.instant().plus(BOOT));
        servers.put(id, Server.read(String.join("\t", id, "starting", "192.0.2.1", metadata)));
        return id;
    }

    private List<Server> listing() {
        synchronized (servers) {
            return servers.values().stream()
                    .map(one -> new Server(
                            one.id(), !clock.instant().isBefore(upAt.get(one.id())), one.address(), one.metadata()))
                    .toList();
        }
    }

    private static String line(Server server) {
        return String.join("\t", server.id(), server.up() ? "up" : "starting", server.address(), words(server.metadata()));
    }

    private static String words(Map<String, String> metadata) {
        return metadata.entrySet().stream()
                .map(one -> one.getKey() + "=" + one.getValue())
                .collect(Collectors.joining("\t"));
    }

    /** The entry of {@code nodepool.yaml}, read as a launcher reads it. */
    @Override
    public ProviderConfig config() {
        try {
            Path file = Path.of(@Name@Cloud.class.getResource("/nodepool.yaml").toURI());
            var result = new YamlConfigurationReader()
                    .read(
                            file,
                            Optional.empty(),
                            Map.of("NODEPOOL_TEST_PORT", Integer.toString(http.getAddress().getPort())),
                            List.of(new @Name@Driver()));
            if (!result.problems().isEmpty()) {
                throw new AssertionError(result.problems().toString());
            }
            return result.configuration().orElseThrow().providers().get(0).config().orElseThrow();
        } catch (URISyntaxException e) {
            throw new AssertionError(e);
        }
    }

    @Override
    public Provider open(ProviderContext context) {
        return new @Name@Driver().getProvider(config(), context);
    }

    @Override
    public List<Machine> machines() {
        return listing().stream().map(one -> new Machine(one.id(), one.metadata())).toList();
    }

    @Override
    public void plant(Map<String, String> metadata) {
        add(words(metadata));
    }

    @Override
    public void remove(String id) {
        synchronized (servers) {
            servers.remove(id);
        }
    }

    @Override
    public void close() {
        http.stop(0);
        threads.shutdownNow();
    }
}
