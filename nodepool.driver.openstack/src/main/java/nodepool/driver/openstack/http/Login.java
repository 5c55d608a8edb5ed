package nodepool.driver.openstack.http;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.format.DateTimeParseException;
import java.util.Optional;
import nodepool.driver.openstack.clouds.Secret;

/**
 * The result of having logged in.
 *
 * @param token absent: requests carry none
 * @param expires when the token ends; absent: never, or nobody knows
 * @param project it is good for
 * @param catalog where the services are
 */
record Login(Optional<Secret> token, Optional<Instant> expires, Optional<String> project, Catalog catalog) {

    /** Reads the answer to {@code POST /v3/auth/tokens}. */
    static Login of(Reply reply) throws CallFailure {
        String token = reply.header("X-Subject-Token")
                .orElseThrow(() -> new CallFailure(
                        CallFailure.Kind.NONSENSE, "identity answered a login without a token, from " + reply.from()));
        JsonNode body = reply.body().path("token");
        String project = body.path("project").path("id").asText();
        return new Login(
                Optional.of(new Secret(token)),
                instant(body.path("expires_at").asText()),
                project.isEmpty() ? Optional.empty() : Optional.of(project),
                Catalog.of(body.path("catalog")));
    }

    private static Optional<Instant> instant(String text) {
        try {
            return Optional.of(OffsetDateTime.parse(text).toInstant());
        } catch (DateTimeParseException unknown) {
            return Optional.empty();
        }
    }
}
