package nodepool.cli.verb;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import nodepool.api.config.Configuration;
import nodepool.api.json.JsonValue;
import nodepool.api.json.JsonValue.JsonArray;
import nodepool.api.json.JsonValue.JsonObject;

/** The single values of a configuration by their paths, with names where entries of lists have one. */
final class Leaves {

    /**
     * One value.
     *
     * @param value as it is
     * @param secret whether it must not be shown
     */
    record Leaf(JsonValue value, boolean secret) {

        JsonValue shown() {
            return secret ? Redaction.HIDDEN : value;
        }
    }

    private final Map<String, Leaf> found = new TreeMap<>();
    private final Redaction redaction;

    private Leaves(Redaction redaction) {
        this.redaction = redaction;
    }

    static Map<String, Leaf> of(Configuration configuration) {
        Leaves leaves = new Leaves(Redaction.of(configuration));
        leaves.members("", ConfigurationDocument.of(configuration), false);
        return leaves.found;
    }

    private void members(String path, JsonObject object, boolean secret) {
        object.members()
                .forEach((key, value) ->
                        add(path.isEmpty() ? key : path + "." + key, value, secret || Redaction.hides(key)));
    }

    private void add(String path, JsonValue value, boolean secret) {
        if (value instanceof JsonObject object) {
            members(path, object, secret);
        } else if (value instanceof JsonArray array && array.items().stream().anyMatch(JsonObject.class::isInstance)) {
            List<JsonValue> items = array.items();
            for (int i = 0; i < items.size(); i++) {
                add(path + "[" + title(items.get(i), i) + "]", items.get(i), secret);
            }
        } else {
            found.put(path, new Leaf(value, secret || redaction.hides(value)));
        }
    }

    private static String title(JsonValue item, int index) {
        return item instanceof JsonObject object
                ? object.get("name").flatMap(JsonValue::asText).orElse(Integer.toString(index))
                : Integer.toString(index);
    }
}
