package nodepool.webapp.http;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import nodepool.api.json.JsonValue;
import nodepool.api.json.JsonValue.JsonObject;

/**
 * What is answered.
 *
 * @param status of HTTP
 * @param type of the content, as in the header
 * @param body not to be changed by anybody
 * @param headers besides those of type and length
 * @param made when, for caches; absent: not to be kept
 */
@SuppressWarnings("ArrayRecordComponent") // never compared, never changed, and too large to be copied
public record Answer(int status, String type, byte[] body, Map<String, String> headers, Optional<Instant> made) {

    /** Of text for people. */
    public static final String TEXT = "text/plain; charset=UTF-8";

    /** Of JSON; its content is ASCII. */
    public static final String JSON = "application/json";

    public Answer {
        headers = Map.copyOf(headers);
    }

    /** Text for people. */
    public static Answer text(int status, String text) {
        return new Answer(status, TEXT, text.getBytes(StandardCharsets.UTF_8), Map.of(), Optional.empty());
    }

    /** A document. */
    public static Answer json(int status, JsonValue document) {
        return new Answer(status, JSON, JsonBytes.of(document), Map.of(), Optional.empty());
    }

    /** An error as a document, or as text. */
    public static Answer error(int status, String message, boolean asJson) {
        String title = Status.title(status);
        Answer answer;
        if (asJson) {
            Map<String, JsonValue> members = new LinkedHashMap<>();
            members.put("code", JsonValue.of(status));
            members.put("title", JsonValue.of(title));
            members.put("message", JsonValue.of(message));
            answer = json(status, new JsonObject(members));
        } else {
            answer = text(status, status + " " + title + "\n\n" + message + "\n");
        }
        return status == 503 ? answer.with("Retry-After", "5") : answer;
    }

    /** With one more header. */
    public Answer with(String name, String value) {
        Map<String, String> more = new LinkedHashMap<>(headers);
        more.put(name, value);
        return new Answer(status, type, body, more, made);
    }

    /** Which caches may keep until the next second. */
    public Answer madeAt(Instant when) {
        return new Answer(status, type, body, headers, Optional.of(when));
    }
}
