package nodepool.config;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import nodepool.api.config.Schema;
import nodepool.api.config.Schema.Key;
import nodepool.api.config.Schema.Rule;
import nodepool.api.config.Schema.Type;
import nodepool.api.json.JsonValue;
import nodepool.api.json.JsonValue.JsonArray;
import nodepool.api.json.JsonValue.JsonBool;
import nodepool.api.json.JsonValue.JsonNumber;
import nodepool.api.json.JsonValue.JsonObject;

/**
 * Our schemas as JSON Schema, draft 7, which editors understand. It forbids nothing that we accept; some of what we refuse
 * (names used twice, references to nothing) it cannot say.
 */
final class JsonSchema {

    /** What YAML 1.1 takes for yes and no, besides true and false. */
    private static final String YES_OR_NO = "^(yes|Yes|YES|no|No|NO|on|On|ON|off|Off|OFF)$";

    private static final String DECIMAL = "^\\s*[-+]?[0-9.]+([eE][-+]?[0-9]+)?\\s*$";

    private final Map<String, JsonValue> members = new LinkedHashMap<>();

    private JsonSchema with(String name, JsonValue value) {
        members.put(name, value);
        return this;
    }

    private JsonSchema with(String name, String value) {
        return with(name, JsonValue.of(value));
    }

    private JsonObject done() {
        return new JsonObject(members);
    }

    private static JsonSchema type(String... names) {
        return new JsonSchema()
                .with("type", names.length == 1 ? JsonValue.of(names[0]) : JsonArray.ofTexts(List.of(names)));
    }

    /** A mapping of that shape. */
    static JsonObject of(Schema schema) {
        Map<String, JsonValue> properties = new LinkedHashMap<>();
        List<String> required = new ArrayList<>();
        List<JsonValue> conditions = new ArrayList<>();
        for (Key key : schema.keys()) {
            properties.put(key.name(), of(key));
            key.aliases().forEach(old -> properties.put(old, alias(key)));
            if (key.required() && key.aliases().isEmpty()) {
                required.add(key.name());
            } else if (key.required()) {
                List<String> names = new ArrayList<>(key.aliases());
                names.add(0, key.name());
                conditions.add(anyOf(names));
            }
        }
        schema.rules().forEach(rule -> conditions.add(of(rule)));
        JsonSchema object = type("object").with("properties", new JsonObject(properties));
        if (!required.isEmpty()) {
            object.with("required", JsonArray.ofTexts(required));
        }
        if (!conditions.isEmpty()) {
            object.with("allOf", new JsonArray(conditions));
        }
        return object.with(
                        "additionalProperties",
                        schema.others().<JsonValue>map(JsonSchema::of).orElse(new JsonBool(false)))
                .done();
    }

    private static JsonObject of(Key key) {
        JsonObject type = of(key.type());
        Map<String, JsonValue> members = new LinkedHashMap<>(type.members());
        String instead = key.deprecated().map(text -> ". Deprecated: " + text).orElse("");
        members.put("description", JsonValue.of(key.description() + instead));
        if (key.deprecated().isPresent()) {
            members.put("deprecated", new JsonBool(true));
        }
        key.byDefault().ifPresent(value -> members.put("default", value));
        return new JsonObject(members);
    }

    private static JsonObject alias(Key key) {
        Map<String, JsonValue> members = new LinkedHashMap<>(of(key.type()).members());
        members.put("description", JsonValue.of("An old name of " + key.name()));
        members.put("deprecated", new JsonBool(true));
        return new JsonObject(members);
    }

    private static JsonObject of(Rule rule) {
        if (rule instanceof Rule.AtLeastOne least) {
            return anyOf(least.keys());
        }
        List<String> keys = ((Rule.AtMostOne) rule).keys();
        List<JsonValue> pairs = new ArrayList<>();
        for (int i = 0; i < keys.size(); i++) {
            for (int j = i + 1; j < keys.size(); j++) {
                pairs.add(required(List.of(keys.get(i), keys.get(j))));
            }
        }
        return new JsonSchema()
                .with(
                        "not",
                        new JsonSchema().with("anyOf", new JsonArray(pairs)).done())
                .done();
    }

    private static JsonObject anyOf(List<String> keys) {
        List<JsonValue> each = new ArrayList<>();
        keys.forEach(key -> each.add(required(List.of(key))));
        return new JsonSchema().with("anyOf", new JsonArray(each)).done();
    }

    private static JsonObject required(List<String> keys) {
        return new JsonSchema().with("required", JsonArray.ofTexts(keys)).done();
    }

    static JsonObject of(Type type) {
        if (type instanceof Type.Mapping mapping) {
            return of(mapping.schema());
        }
        if (type instanceof Type.MapOf each) {
            return type("object").with("additionalProperties", of(each.value())).done();
        }
        if (type instanceof Type.ListOf list) {
            JsonObject items = type("array").with("items", of(list.item())).done();
            return list.orSingle()
                    ? new JsonSchema()
                            .with("anyOf", new JsonArray(List.of(of(list.item()), items)))
                            .done()
                    : items;
        }
        return scalar(type);
    }

    private static JsonObject scalar(Type type) {
        if (type instanceof Type.Bool) {
            return type("boolean", "string").with("pattern", YES_OR_NO).done();
        }
        if (type instanceof Type.Int range) {
            JsonSchema whole = type("integer");
            if (range.min() > Integer.MIN_VALUE) {
                whole.with("minimum", JsonValue.of(range.min()));
            }
            return range.max() < Integer.MAX_VALUE
                    ? whole.with("maximum", JsonValue.of(range.max())).done()
                    : whole.done();
        }
        if (type instanceof Type.Numeric range) {
            return numeric(range);
        }
        if (type instanceof Type.Word words) {
            return new JsonSchema()
                    .with("enum", JsonArray.ofTexts(words.words()))
                    .done();
        }
        if (type instanceof Type.Any) {
            return new JsonObject(Map.of());
        }
        return type instanceof Type.TextOrInt
                ? type("string", "integer").done()
                : type("string").done();
    }

    private static JsonObject numeric(Type.Numeric range) {
        boolean moreThanZero = range.min() == GlobalSchema.MORE_THAN_ZERO;
        return type("number", "string")
                .with(
                        moreThanZero ? "exclusiveMinimum" : "minimum",
                        moreThanZero ? JsonValue.of(0) : new JsonNumber(Double.toString(range.min())))
                .with("pattern", DECIMAL)
                .done();
    }
}
