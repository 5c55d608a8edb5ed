package nodepool.cli.verb;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import nodepool.api.json.JsonValue;
import nodepool.api.json.JsonValue.JsonArray;
import nodepool.api.json.JsonValue.JsonBool;
import nodepool.api.json.JsonValue.JsonObject;

/** Gathers the members of a JSON object; what is absent is left out. Confined to one thread. */
final class Document {

    private final Map<String, JsonValue> members = new LinkedHashMap<>();

    Document put(String name, String text) {
        return put(name, JsonValue.of(text));
    }

    Document put(String name, Optional<String> text) {
        text.ifPresent(there -> put(name, there));
        return this;
    }

    Document put(String name, long number) {
        return put(name, JsonValue.of(number));
    }

    Document put(String name, boolean yes) {
        return put(name, new JsonBool(yes));
    }

    /** A moment to the second, in UTC. */
    Document put(String name, Instant at) {
        return put(name, at.truncatedTo(ChronoUnit.SECONDS).toString());
    }

    /** A list of texts; an empty one is left out. */
    Document put(String name, List<String> texts) {
        return texts.isEmpty() ? this : put(name, JsonArray.ofTexts(texts));
    }

    /** A list of objects; an empty one is left out. */
    Document putAll(String name, List<JsonObject> objects) {
        return objects.isEmpty() ? this : put(name, new JsonArray(List.copyOf(objects)));
    }

    /** Any value; null and an object without members are left out. */
    Document put(String name, JsonValue value) {
        if (!value.isNull() && !value.equals(JsonObject.EMPTY)) {
            members.put(name, value);
        }
        return this;
    }

    JsonObject end() {
        return new JsonObject(members);
    }
}
