package nodepool.driver.@name@;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.StringJoiner;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import nodepool.api.driver.CloudException;
import nodepool.api.driver.CloudException.Fault;
import nodepool.driver.statemachine.CloudConfig;
import nodepool.driver.statemachine.Faults;
import nodepool.driver.statemachine.RateLimiter;

/** The cloud's API: a server is a line of words parted by tabs. Thread-safe; every call blocks. */
final class @Name@Api {

    private static final String TAB = "\t";

    private final URI servers;
    private final String token;
    private final Duration timeout;
    private final RateLimiter limiter;
    private final ExecutorService threads = Executors.newFixedThreadPool(2, task -> {
        Thread made = new Thread(task, "@name@-http");
        made.setDaemon(true);
        return made;
    });
    private final HttpClient http = HttpClient.newBuilder().executor(threads).build();

    /** One server. Its metadata is what it was made with. */
    record Server(String id, boolean up, String address, Map<String, String> metadata) {

        static Server read(String line) {
            String[] words = line.split(TAB);
            Map<String, String> metadata = new LinkedHashMap<>();
            for (int i = 3; i < words.length; i++) {
                metadata.put(words[i].replaceAll("=.*", ""), words[i].replaceAll("^[^=]*=", ""));
            }
            return new Server(words[0], words[1].equals("up"), words[2], Map.copyOf(metadata));
        }
    }

    @Name@Api(CloudConfig config) {
        this.servers = URI.create(config.section().require("url") + "/servers/");
        this.token = config.section().require("token");
        this.timeout = config.callTimeout();
        this.limiter = RateLimiter.perSecond(config.name(), config.rateLimit());
    }

    /** Makes a server and tells its id. */
    String create(String hostname, String image, String size, Map<String, String> metadata) throws CloudException {
        StringJoiner words = new StringJoiner(TAB).add(hostname).add(image).add(size);
        metadata.forEach((key, value) -> words.add(key + "=" + value));
        return send("create", HttpRequest.newBuilder(servers).POST(BodyPublishers.ofString(words.toString())));
    }

    List<Server> list() throws CloudException {
        return send("list", HttpRequest.newBuilder(servers).GET())
                .lines()
                .map(Server::read)
                .toList();
    }

    void delete(String id) throws CloudException {
        send("delete", HttpRequest.newBuilder(servers.resolve(id)).DELETE());
    }

    void close() {
        limiter.close();
        threads.shutdownNow();
    }

    private String send(String what, HttpRequest.Builder request) throws CloudException {
        return limiter.call(what, () -> answer(what, request));
    }

    private String answer(String what, HttpRequest.Builder request) throws CloudException {
        try {
            HttpResponse<String> answer = http.send(
                    request.timeout(timeout).header("Authorization", "Bearer " + token).build(), BodyHandlers.ofString());
            if (answer.statusCode() >= 400) {
                Fault fault = Faults.USUAL.of(answer.statusCode(), answer.body());
                throw new CloudException(fault, "%s: %d %s".formatted(what, answer.statusCode(), answer.body()));
            }
            return answer.body();
        } catch (IOException e) {
            throw Faults.broken(what, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new CloudException(Fault.TRANSIENT, what + ": interrupted", e);
        }
    }
}
