package nodepool.config;

import java.math.BigDecimal;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import nodepool.api.config.Location;
import nodepool.api.json.JsonValue;
import nodepool.api.json.JsonValue.JsonArray;
import nodepool.api.json.JsonValue.JsonBool;
import nodepool.api.json.JsonValue.JsonNull;
import nodepool.api.json.JsonValue.JsonNumber;
import nodepool.api.json.JsonValue.JsonObject;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;
import org.yaml.snakeyaml.nodes.MappingNode;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.NodeTuple;
import org.yaml.snakeyaml.nodes.ScalarNode;
import org.yaml.snakeyaml.nodes.SequenceNode;
import org.yaml.snakeyaml.nodes.Tag;

/** What the nodes of a YAML 1.1 tree mean. */
final class YamlNodes {

    private YamlNodes() {}

    /** The keys of a mapping in their order, merge keys resolved, later ones winning. */
    static Map<String, NodeTuple> members(MappingNode mapping) {
        Map<String, NodeTuple> members = new LinkedHashMap<>();
        for (NodeTuple tuple : mapping.getValue()) {
            if (tuple.getKeyNode().getTag().equals(Tag.MERGE)) {
                List<Node> sources = tuple.getValueNode() instanceof SequenceNode many
                        ? many.getValue()
                        : List.of(tuple.getValueNode());
                for (Node source : sources) {
                    if (source instanceof MappingNode merged) {
                        members(merged).forEach(members::putIfAbsent);
                    }
                }
            }
        }
        for (NodeTuple tuple : mapping.getValue()) {
            if (tuple.getKeyNode() instanceof ScalarNode key && !key.getTag().equals(Tag.MERGE)) {
                members.put(key.getValue(), tuple);
            }
        }
        return members;
    }

    /** The member of that name, if it is neither a list nor a mapping, as written. */
    static Optional<String> scalar(Node node, String key) {
        if (node instanceof MappingNode mapping) {
            NodeTuple tuple = members(mapping).get(key);
            if (tuple != null
                    && tuple.getValueNode() instanceof ScalarNode text
                    && !text.getTag().equals(Tag.NULL)) {
                return Optional.of(text.getValue());
            }
        }
        return Optional.empty();
    }

    /** How an item of a list is called in paths. */
    static String title(Node item, int index) {
        return scalar(item, "name").or(() -> scalar(item, "tenant-name")).orElse("#" + (index + 1));
    }

    static String join(String path, String name) {
        return path.isEmpty() ? name : path + "." + name;
    }

    static Location at(String file, Node node) {
        return new Location(
                file, node.getStartMark().getLine() + 1, node.getStartMark().getColumn() + 1);
    }

    /** The value as YAML 1.1 reads it; dates stay text. */
    static JsonValue json(Node node) {
        if (node instanceof MappingNode mapping) {
            Map<String, JsonValue> values = new LinkedHashMap<>();
            members(mapping).forEach((key, tuple) -> values.put(key, json(tuple.getValueNode())));
            return new JsonObject(values);
        }
        if (node instanceof SequenceNode sequence) {
            return new JsonArray(
                    sequence.getValue().stream().map(YamlNodes::json).toList());
        }
        String text = ((ScalarNode) node).getValue();
        if (node.getTag().equals(Tag.NULL)) {
            return JsonNull.NULL;
        }
        if (node.getTag().equals(Tag.BOOL)) {
            return new JsonBool(List.of("yes", "true", "on").contains(text.toLowerCase(Locale.ROOT)));
        }
        return node.getTag().equals(Tag.INT) || node.getTag().equals(Tag.FLOAT)
                ? number(text).<JsonValue>map(JsonNumber::new).orElse(JsonValue.of(text))
                : JsonValue.of(text);
    }

    /** Octal, hexadecimal, sexagesimal and grouped digits included; infinities are no numbers here. */
    private static Optional<String> number(String text) {
        Object read = new Yaml(new SafeConstructor(new LoaderOptions())).load(text);
        if (read instanceof Double fraction && !Double.isFinite(fraction)) {
            return Optional.empty();
        }
        return read instanceof Number known
                ? Optional.of(new BigDecimal(known.toString()).toPlainString())
                : Optional.empty();
    }
}
