package nodepool.driver.openstack.cloud;

import com.fasterxml.jackson.databind.JsonNode;
import java.net.URI;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import nodepool.api.driver.CloudException;
import nodepool.api.driver.CloudException.Fault;
import nodepool.driver.openstack.clouds.Service;
import nodepool.driver.openstack.http.Call;
import nodepool.driver.openstack.http.CallFailure;
import nodepool.driver.openstack.http.Failures;
import nodepool.driver.openstack.http.OpenStackClient;
import nodepool.driver.openstack.http.Reply;
import nodepool.driver.openstack.http.Version;
import nodepool.driver.statemachine.RateLimiter;

/**
 * Makes calls and waits for them, each kind at its own pace: reads may follow each other ten times as fast as changes.
 * Thread-safe. Interrupting a waiting thread ends its wait with a {@link CloudException}.
 */
public final class Caller implements AutoCloseable {

    private static final int READS_PER_CHANGE = 10;
    private static final int PAGES = 10_000;

    private final OpenStackClient client;
    private final RateLimiter reads;
    private final RateLimiter changes;

    /**
     * @param provider for logs
     * @param distance between the starts of two changes; zero: no limit
     */
    public Caller(String provider, OpenStackClient client, Duration distance) {
        this.client = client;
        this.reads = RateLimiter.every(provider + " reads", distance.dividedBy(READS_PER_CHANGE));
        this.changes = RateLimiter.every(provider + " changes", distance);
    }

    /** Makes a call. Its failure is what {@link FaultTable} says, with the {@link CallFailure} as cause unless it is about pace. */
    public Reply call(Call call) throws CloudException {
        RateLimiter pace = call.method().equals("GET") ? reads : changes;
        return pace.call(call.toString(), () -> await(client.send(call)));
    }

    /** The answer to a GET without pages. */
    JsonNode get(Service service, String path) throws CloudException {
        return call(Call.get(service, path)).body();
    }

    /** Everything under {@code key} of a GET, all its pages. */
    List<JsonNode> list(Call first, String key) throws CloudException {
        List<JsonNode> all = new ArrayList<>();
        Call call = first;
        for (int page = 0; page < PAGES; page++) {
            JsonNode body = call(call).body();
            body.path(key).forEach(all::add);
            Optional<Map<String, String>> next = next(body, key);
            if (next.isEmpty() || body.path(key).isEmpty() || next.get().equals(call.query())) {
                return List.copyOf(all);
            }
            call = withQuery(first, next.get());
        }
        throw new CloudException(Fault.TRANSIENT, first + ": more than " + PAGES + " pages");
    }

    private static Call withQuery(Call call, Map<String, String> query) {
        return new Call(
                call.service(),
                call.method(),
                call.path(),
                query,
                call.body(),
                call.repeatable(),
                call.microversion(),
                call.within());
    }

    /** The query of the next page: a link in a list of links, or the image service's one link. */
    private static Optional<Map<String, String>> next(JsonNode body, String key) {
        String link = body.path("next").asText();
        for (JsonNode one : body.path(key + "_links")) {
            if (one.path("rel").asText().equals("next")) {
                link = one.path("href").asText();
            }
        }
        String raw = link.isEmpty() ? "" : URI.create(link).getRawQuery();
        if (raw == null || raw.isEmpty()) {
            return Optional.empty();
        }
        Map<String, String> query = new LinkedHashMap<>();
        for (String pair : raw.split("&")) {
            String[] parts = pair.split("=", 2);
            query.put(decoded(parts[0]), parts.length > 1 ? decoded(parts[1]) : "");
        }
        return Optional.of(query);
    }

    private static String decoded(String text) {
        return URLDecoder.decode(text, StandardCharsets.UTF_8);
    }

    /** Whether the cloud has that service. */
    boolean has(Service service) throws CloudException {
        return await(client.has(service));
    }

    /** Whether that microversion can be asked for. */
    boolean knows(Service service, Version version) throws CloudException {
        return await(client.newestMicroversion(service))
                .filter(newest -> newest.compareTo(version) >= 0)
                .isPresent();
    }

    /** The project we work in. */
    public Optional<String> project() throws CloudException {
        return await(client.project());
    }

    /** Lets that much time pass. */
    public void pause(Duration time) throws CloudException {
        await(client.after(time));
    }

    private static <T> T await(CompletableFuture<T> call) throws CloudException {
        try {
            return call.get();
        } catch (ExecutionException failed) {
            throw FaultTable.of(Failures.of(failed));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new CloudException(Fault.TRANSIENT, "interrupted while waiting for the cloud", e);
        }
    }

    /** Whether what failed may have been done all the same. */
    public static boolean mayBeDone(CloudException failure) {
        return failure.getCause() instanceof CallFailure call ? call.mayBeDone() : false;
    }

    /** Whether what failed was refused with that status of HTTP. */
    static boolean isStatus(CloudException failure, int status) {
        return failure.getCause() instanceof CallFailure call && call.isStatus(status);
    }

    @Override
    public void close() {
        reads.close();
        changes.close();
        client.close();
    }
}
