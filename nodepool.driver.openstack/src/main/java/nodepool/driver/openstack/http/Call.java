package nodepool.driver.openstack.http;

import com.fasterxml.jackson.databind.JsonNode;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import nodepool.driver.openstack.clouds.Service;

/**
 * One call to a service.
 *
 * @param service whom
 * @param method {@code GET}, {@code POST}, …
 * @param path below the service's versioned address, with a leading slash
 * @param query in the order to send
 * @param body what is sent
 * @param repeatable whether sending it twice does the same as sending it once
 * @param microversion to ask for instead of the one of the settings
 * @param within instead of the ordinary deadline
 */
public record Call(
        Service service,
        String method,
        String path,
        Map<String, String> query,
        Body body,
        boolean repeatable,
        Optional<String> microversion,
        Optional<Duration> within) {

    /** What is sent along. */
    public sealed interface Body {
        /** Nothing. */
        record None() implements Body {}

        record Json(JsonNode value) implements Body {}

        /**
         * The bytes of a file, streamed.
         *
         * @param content never read into memory
         */
        record FileContent(Path content) implements Body {}
    }

    public Call {
        query = Collections.unmodifiableMap(new LinkedHashMap<>(query));
    }

    public static Call get(Service service, String path) {
        return new Call(service, "GET", path, Map.of(), new Body.None(), true, Optional.empty(), Optional.empty());
    }

    /** Makes or starts something; sent twice it may do so twice. */
    public static Call post(Service service, String path, JsonNode body) {
        return new Call(
                service, "POST", path, Map.of(), new Body.Json(body), false, Optional.empty(), Optional.empty());
    }

    public static Call delete(Service service, String path) {
        return new Call(service, "DELETE", path, Map.of(), new Body.None(), true, Optional.empty(), Optional.empty());
    }

    /** Sends a file's bytes, within that time. */
    public static Call upload(Service service, String path, Path file, Duration within) {
        return new Call(
                service,
                "PUT",
                path,
                Map.of(),
                new Body.FileContent(file),
                false,
                Optional.empty(),
                Optional.of(within));
    }

    public Call with(String key, String value) {
        Map<String, String> more = new LinkedHashMap<>(query);
        more.put(key, value);
        return new Call(service, method, path, more, body, repeatable, microversion, within);
    }

    public Call withMicroversion(String version) {
        return new Call(service, method, path, query, body, repeatable, Optional.of(version), within);
    }

    /** A POST that only asks. */
    public Call asRepeatable() {
        return new Call(service, method, path, query, body, true, microversion, within);
    }

    /** Path and query, encoded. */
    String target() {
        if (query.isEmpty()) {
            return path;
        }
        return query.entrySet().stream()
                .map(entry -> encoded(entry.getKey()) + "=" + encoded(entry.getValue()))
                .collect(Collectors.joining("&", path + "?", ""));
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }

    /** For logs and messages. */
    @Override
    public String toString() {
        return service.word() + " " + method + " " + target();
    }
}
