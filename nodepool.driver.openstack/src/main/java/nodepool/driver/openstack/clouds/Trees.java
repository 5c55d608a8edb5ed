package nodepool.driver.openstack.clouds;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Collection;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;
import org.yaml.snakeyaml.error.MarkedYAMLException;
import org.yaml.snakeyaml.error.YAMLException;

/** Documents as trees: parsing, merging, and reading values with the freedom that people take in these files. */
final class Trees {

    private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

    private Trees() {}

    static ObjectNode empty() {
        return NODES.objectNode();
    }

    /** Reads YAML, of which JSON is a part. An empty text is an empty map. The message of a failure quotes no content. */
    static ObjectNode parse(String text) throws CloudsException {
        Object parsed;
        try {
            parsed = new Yaml(new SafeConstructor(new LoaderOptions())).load(text);
        } catch (MarkedYAMLException wrong) {
            // Its message would quote the line, which may be the one with the password; so would its cause.
            throw new CloudsException("not YAML, line %d: %s"
                    .formatted(
                            wrong.getProblemMark() == null
                                    ? 1
                                    : wrong.getProblemMark().getLine() + 1,
                            String.valueOf(wrong.getProblem())));
        } catch (YAMLException wrong) {
            throw new CloudsException("not YAML");
        }
        JsonNode node = node(parsed);
        if (node.isNull()) {
            return empty();
        }
        if (node instanceof ObjectNode map) {
            return map;
        }
        throw new CloudsException("expected a map");
    }

    private static JsonNode node(@org.jspecify.annotations.Nullable Object value) {
        if (value instanceof Map<?, ?> map) {
            ObjectNode object = empty();
            map.forEach((key, one) -> object.set(String.valueOf(key), node(one)));
            return object;
        }
        if (value instanceof Collection<?> list) {
            ArrayNode array = NODES.arrayNode();
            list.forEach(one -> array.add(node(one)));
            return array;
        }
        if (value instanceof Boolean bool) {
            return NODES.booleanNode(bool);
        }
        return value == null ? NODES.nullNode() : NODES.textNode(String.valueOf(value));
    }

    /** Puts {@code over} onto {@code base}: maps merge, everything else replaces. */
    static void merge(ObjectNode base, ObjectNode over) {
        over.properties().forEach(entry -> {
            if (entry.getValue() instanceof ObjectNode map && base.get(entry.getKey()) instanceof ObjectNode below) {
                merge(below, map);
            } else {
                base.set(entry.getKey(), entry.getValue().deepCopy());
            }
        });
    }

    /** A copy in which all keys are written with underscores. */
    static ObjectNode withUnderscores(ObjectNode map) {
        ObjectNode copy = empty();
        map.properties()
                .forEach(entry -> copy.set(
                        entry.getKey().replace('-', '_'),
                        entry.getValue() instanceof ObjectNode below
                                ? withUnderscores(below)
                                : entry.getValue().deepCopy()));
        return copy;
    }

    /** The map under that key; an empty one that belongs to nobody if there is none. */
    static ObjectNode map(JsonNode parent, String key) {
        return parent.get(key) instanceof ObjectNode map ? map : empty();
    }

    /** A single value as text. Empty text counts as absent. */
    static Optional<String> text(JsonNode parent, String key) {
        JsonNode value = parent.get(key);
        return value == null || value.isNull() || !value.isValueNode()
                ? Optional.empty()
                : Optional.of(value.asText()).filter(text -> !text.isEmpty());
    }

    /** Yes or no, also as text. */
    static Optional<Boolean> bool(JsonNode parent, String key) {
        return text(parent, key).map(text -> switch (text.toLowerCase(Locale.ROOT)) {
            case "true", "yes", "on", "1", "y", "t" -> true;
            default -> false;
        });
    }
}
