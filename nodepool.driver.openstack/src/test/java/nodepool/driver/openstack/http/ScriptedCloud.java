package nodepool.driver.openstack.http;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import javax.net.ssl.SSLContext;
import nodepool.driver.openstack.clouds.Authentication;
import nodepool.driver.openstack.clouds.Authentication.Domain;
import nodepool.driver.openstack.clouds.Authentication.Scope;
import nodepool.driver.openstack.clouds.Authentication.User;
import nodepool.driver.openstack.clouds.CloudSettings;
import nodepool.driver.openstack.clouds.CloudSettings.Endpoint;
import nodepool.driver.openstack.clouds.CloudSettings.Tls;
import nodepool.driver.openstack.clouds.Secret;
import nodepool.driver.openstack.clouds.Service;

/** An HTTP server on loopback that says what a test wants it to say; for faults that no real service makes on demand. */
final class ScriptedCloud implements AutoCloseable {

    /** One answer; a negative status cuts the connection, status 0 never answers. */
    record Answer(int status, String body, Map<String, String> headers) {
        static Answer of(int status, String body) {
            return new Answer(status, body, Map.of());
        }
    }

    /** What was asked. */
    record Asked(String line, Optional<String> token, Optional<String> microversion, String body) {}

    private final HttpServer server;
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final Map<String, List<Answer>> answers = new ConcurrentHashMap<>();
    private final List<Asked> asked = new CopyOnWriteArrayList<>();

    private ScriptedCloud(HttpServer server) {
        this.server = server;
        server.setExecutor(threads);
        server.createContext("/", this::handle);
        server.start();
        token("token-1", "2099-01-01T00:00:00.000000Z");
        answer("GET /compute/v2.1/", Answer.of(200, """
                {"version": {"id": "v2.1", "version": "2.93", "min_version": "2.1", "links": []}}"""));
    }

    static ScriptedCloud start() throws IOException {
        return new ScriptedCloud(HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0));
    }

    static ScriptedCloud start(SSLContext tls) throws IOException {
        HttpsServer secure = HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        secure.setHttpsConfigurator(new HttpsConfigurator(tls));
        return new ScriptedCloud(secure);
    }

    String url() {
        return (server instanceof HttpsServer ? "https" : "http") + "://127.0.0.1:"
                + server.getAddress().getPort();
    }

    /** From now on logins give this token. */
    void token(String token, String expires) {
        answer(
                "POST /v3/auth/tokens",
                new Answer(201, """
                {"token": {"expires_at": "%s", "project": {"id": "p1"}, "catalog": [
                  {"type": "compute", "name": "nova", "endpoints": [
                    {"interface": "internal", "region_id": "r1", "url": "http://127.0.0.1:1/"},
                    {"interface": "public", "region_id": "r1", "url": "%s/compute/v2.1"}]},
                  {"type": "image", "name": "glance", "endpoints": [
                    {"interface": "public", "region_id": "r1", "url": "%s/image"}]}]}}""".formatted(expires, url(), url()), Map.of("X-Subject-Token", token)));
    }

    /** These answers in turn, the last one for ever. */
    void answer(String line, Answer... inTurn) {
        answers.put(line, new ArrayList<>(List.of(inTurn)));
    }

    List<Asked> asked(String line) {
        return asked.stream().filter(one -> one.line().equals(line)).toList();
    }

    private void handle(HttpExchange exchange) throws IOException {
        String line = exchange.getRequestMethod() + " " + exchange.getRequestURI();
        String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
        asked.add(new Asked(
                line,
                Optional.ofNullable(exchange.getRequestHeaders().getFirst("X-Auth-Token")),
                Optional.ofNullable(exchange.getRequestHeaders().getFirst("OpenStack-API-Version")),
                body));
        Answer answer = next(line);
        if (answer.status() == 0) {
            return;
        }
        if (answer.status() < 0) {
            exchange.close();
            return;
        }
        answer.headers().forEach(exchange.getResponseHeaders()::set);
        byte[] bytes = answer.body().getBytes(StandardCharsets.UTF_8);
        exchange.sendResponseHeaders(answer.status(), bytes.length == 0 ? -1 : bytes.length);
        exchange.getResponseBody().write(bytes);
        exchange.close();
    }

    private Answer next(String line) {
        List<Answer> left = answers.getOrDefault(line, List.of(Answer.of(404, "{}")));
        synchronized (left) {
            return left.size() > 1 ? left.remove(0) : left.get(0);
        }
    }

    /** Settings for a login with a password here. */
    CloudSettings settings() {
        return settings(new Tls(true, Optional.empty(), Optional.empty(), Optional.empty()), url() + "/v3");
    }

    CloudSettings settings(Tls tls, String authUrl) {
        Domain domain = new Domain(Optional.of("default"), Optional.empty());
        Map<Service, Endpoint> services = new EnumMap<>(Service.class);
        for (Service service : Service.values()) {
            services.put(
                    service,
                    new Endpoint(
                            Optional.empty(),
                            List.of("public"),
                            Optional.empty(),
                            Optional.empty(),
                            Optional.empty(),
                            1,
                            service == Service.IMAGE ? 5 : 0));
        }
        return new CloudSettings(
                "scripted",
                Optional.of("r1"),
                new Authentication.Password(
                        authUrl,
                        new User(Optional.empty(), Optional.of("u"), domain),
                        new Secret("s3cret"),
                        new Scope.Project(Optional.empty(), Optional.of("j"), domain)),
                tls,
                Optional.of(Duration.ofSeconds(20)),
                services,
                new CloudSettings.Images("qcow2", false, Map.of()),
                new CloudSettings.Networks(
                        CloudSettings.FloatingIpSource.NEUTRON, List.of(), true, true, false, false));
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }
}
