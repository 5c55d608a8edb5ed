package nodepool.cli.verb;

import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import nodepool.api.config.Configuration;
import nodepool.api.json.JsonValue;
import nodepool.api.json.JsonValue.JsonArray;
import nodepool.api.json.JsonValue.JsonObject;

/**
 * Takes secrets out of a document: what drivers declare to be secret, all values of environments of builds and of user data,
 * and those of keys that are named like secrets.
 *
 * @param values that drivers declare to be secret
 */
record Redaction(Set<String> values) {

    static final JsonValue HIDDEN = JsonValue.of("(hidden)");

    private static final Pattern SECRET = Pattern.compile(
            "(?i)env-vars|.*(passw|secret|token|credential|private.?key|api.?key|access.?key|user-?data).*");

    Redaction {
        values = Set.copyOf(values);
    }

    /** For documents of that configuration. */
    static Redaction of(Configuration configuration) {
        Set<String> secrets = new HashSet<>();
        configuration
                .providers()
                .forEach(entry -> secrets.addAll(entry.section().secrets()));
        return new Redaction(secrets);
    }

    /** Whether everything at and below that key is secret. */
    static boolean hides(String key) {
        return SECRET.matcher(key).matches();
    }

    /** Whether that value is secret wherever it stands. */
    boolean hides(JsonValue value) {
        return value.asText().filter(values::contains).isPresent();
    }

    JsonObject applyTo(JsonObject document) {
        Map<String, JsonValue> shown = new LinkedHashMap<>();
        document.members().forEach((key, value) -> shown.put(key, hides(key) ? hidden(value) : shown(value)));
        return new JsonObject(shown);
    }

    private JsonValue shown(JsonValue value) {
        if (value instanceof JsonObject object) {
            return applyTo(object);
        } else if (value instanceof JsonArray array) {
            return new JsonArray(array.items().stream().map(this::shown).toList());
        }
        return hides(value) ? HIDDEN : value;
    }

    /** Names stay, so that one sees what is set. */
    private static JsonValue hidden(JsonValue value) {
        if (value instanceof JsonObject object) {
            Map<String, JsonValue> names = new LinkedHashMap<>();
            object.members().forEach((name, inner) -> names.put(name, hidden(inner)));
            return new JsonObject(names);
        }
        return HIDDEN;
    }
}
