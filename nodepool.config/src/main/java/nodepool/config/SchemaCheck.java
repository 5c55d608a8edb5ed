package nodepool.config;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import nodepool.api.config.Location;
import nodepool.api.config.Problem.Severity;
import nodepool.api.config.Schema;
import nodepool.api.config.Schema.Key;
import nodepool.api.config.Schema.Rule;
import nodepool.api.config.Schema.Type;
import nodepool.api.json.JsonValue;
import nodepool.api.json.JsonValue.JsonArray;
import nodepool.api.json.JsonValue.JsonBool;
import nodepool.api.json.JsonValue.JsonNull;
import nodepool.api.json.JsonValue.JsonNumber;
import nodepool.api.json.JsonValue.JsonObject;
import org.yaml.snakeyaml.nodes.MappingNode;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.NodeTuple;
import org.yaml.snakeyaml.nodes.ScalarNode;
import org.yaml.snakeyaml.nodes.SequenceNode;
import org.yaml.snakeyaml.nodes.Tag;

/** Checks a mapping against a schema, reports every mistake, and makes a section of what is right. */
final class SchemaCheck {

    private final String file;
    private final Problems problems;

    SchemaCheck(String file, Problems problems) {
        this.file = file;
        this.problems = problems;
    }

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

    YamlSection check(MappingNode mapping, Schema schema, String path) {
        Map<String, JsonValue> values = new LinkedHashMap<>();
        Map<String, Location> places = new LinkedHashMap<>();
        Map<String, List<YamlSection>> below = new LinkedHashMap<>();
        for (Map.Entry<String, NodeTuple> member : members(mapping).entrySet()) {
            Optional<Key> known = find(schema, member.getKey());
            Node value = member.getValue().getValueNode();
            Location at = at(member.getValue().getKeyNode());
            if (known.isEmpty() && schema.others().isEmpty()) {
                unknown(schema, member.getKey(), at, path);
            } else if (value.getTag().equals(Tag.NULL)) {
                problems.warning(at, path, member.getKey() + " has no value and counts as left out");
            } else {
                String name = known.map(Key::name).orElse(member.getKey());
                known.ifPresent(key -> outdated(key, member.getKey(), at, path));
                places.put(name, at(value));
                Type type = known.map(Key::type).or(schema::others).orElse(Type.ANY);
                value(value, type, join(path, name), below, name).ifPresent(json -> values.put(name, json));
            }
        }
        for (Key key : schema.keys()) {
            if (!places.containsKey(key.name())) {
                key.byDefault().ifPresent(value -> values.put(key.name(), value));
                if (key.required()) {
                    problems.error(at(mapping), path, "required key " + key.name() + " is missing");
                }
            }
        }
        schema.rules().forEach(rule -> rule(rule, places, at(mapping), path));
        return new YamlSection(at(mapping), path, values, places, below);
    }

    private static Optional<Key> find(Schema schema, String name) {
        return schema.keys().stream()
                .filter(key -> key.name().equals(name) || key.aliases().contains(name))
                .findFirst();
    }

    private void unknown(Schema schema, String name, Location at, String path) {
        String near = schema.keys().stream()
                .map(Key::name)
                .filter(known -> distance(known, name) <= Math.max(1, name.length() / 3))
                .min(java.util.Comparator.comparingInt(known -> distance(known, name)))
                .map(known -> "; did you mean " + known + "?")
                .orElse("");
        problems.add(Severity.UNKNOWN_KEY, at, path, "unknown key " + name + near);
    }

    private void outdated(Key key, String written, Location at, String path) {
        if (!key.name().equals(written)) {
            problems.warning(at, path, written + " is an old name; write " + key.name());
        }
        key.deprecated().ifPresent(instead -> problems.warning(at, path, written + " is deprecated: " + instead));
    }

    private void rule(Rule rule, Map<String, Location> places, Location at, String path) {
        if (rule instanceof Rule.AtMostOne most) {
            List<String> there =
                    most.keys().stream().filter(places::containsKey).toList();
            if (there.size() > 1) {
                problems.error(
                        places.getOrDefault(there.get(1), at),
                        path,
                        "only one of " + String.join(", ", there) + " may be given");
            }
        } else if (rule instanceof Rule.AtLeastOne least
                && least.keys().stream().noneMatch(places::containsKey)) {
            problems.error(at, path, "one of " + String.join(", ", least.keys()) + " must be given");
        }
    }

    private Optional<JsonValue> value(
            Node node, Type type, String path, Map<String, List<YamlSection>> below, String name) {
        if (type instanceof Type.Mapping mapping) {
            return map(node, path).map(found -> {
                below.put(name, List.of(check(found, mapping.schema(), path)));
                return new JsonValue.JsonText(path);
            });
        }
        if (type instanceof Type.ListOf list) {
            return Optional.of(list(node, list, path, below, name));
        }
        if (type instanceof Type.MapOf each) {
            return map(node, path).map(found -> {
                Map<String, JsonValue> members = new LinkedHashMap<>();
                members(found)
                        .forEach((key, tuple) -> value(
                                        tuple.getValueNode(), each.value(), join(path, key), new LinkedHashMap<>(), key)
                                .ifPresent(json -> members.put(key, json)));
                return new JsonObject(members);
            });
        }
        return type instanceof Type.Any ? Optional.of(any(node)) : scalar(node, type, path);
    }

    private Optional<MappingNode> map(Node node, String path) {
        if (node instanceof MappingNode mapping) {
            return Optional.of(mapping);
        }
        wrong(node, path, "a mapping");
        return Optional.empty();
    }

    private JsonValue list(
            Node node, Type.ListOf type, String path, Map<String, List<YamlSection>> below, String name) {
        List<Node> items;
        if (node instanceof SequenceNode sequence) {
            items = sequence.getValue();
        } else if (type.orSingle()) {
            items = List.of(node);
        } else {
            wrong(node, path, "a list");
            return new JsonArray(List.of());
        }
        List<JsonValue> values = new ArrayList<>();
        List<YamlSection> sections = new ArrayList<>();
        Map<String, Location> seen = new LinkedHashMap<>();
        for (int i = 0; i < items.size(); i++) {
            Node item = items.get(i);
            Map<String, List<YamlSection>> one = new LinkedHashMap<>();
            value(item, type.item(), path + "[" + title(item, i) + "]", one, "item")
                    .ifPresent(values::add);
            for (YamlSection section : one.getOrDefault("item", List.of())) {
                sections.add(section);
                type.uniqueBy().flatMap(section::text).ifPresent(id -> unique(id, section, seen, name));
            }
        }
        below.put(name, sections);
        return new JsonArray(values);
    }

    private void unique(String id, YamlSection section, Map<String, Location> seen, String name) {
        Location first = seen.putIfAbsent(id, section.at());
        if (first != null) {
            String what = name.equals("diskimages")
                    ? "diskimage " + id + " already defined"
                    : "the name " + id + " is already used";
            problems.error(section.at(), section.path(), what + " at " + first);
        }
    }

    private static String title(Node item, int index) {
        if (item instanceof MappingNode mapping) {
            NodeTuple name = members(mapping).get("name");
            if (name != null && name.getValueNode() instanceof ScalarNode text) {
                return text.getValue();
            }
        }
        return "#" + (index + 1);
    }

    private Optional<JsonValue> scalar(Node node, Type type, String path) {
        if (!(node instanceof ScalarNode scalar)) {
            wrong(node, path, expected(type));
            return Optional.empty();
        }
        JsonValue value = any(scalar);
        if (type instanceof Type.Bool && value instanceof JsonBool) {
            return Optional.of(value);
        }
        if (type instanceof Type.Int range
                && value.asNumber()
                        .filter(number -> number.stripTrailingZeros().scale() <= 0)
                        .isPresent()) {
            long number = value.asNumber().get().longValue();
            if (number < range.min() || number > range.max()) {
                problems.error(
                        at(node), path, "%d is out of range: %d to %d".formatted(number, range.min(), range.max()));
                return Optional.empty();
            }
            return Optional.of(value);
        }
        if (type instanceof Type.Numeric range) {
            Optional<java.math.BigDecimal> number = value.asNumber().or(() -> number(scalar.getValue()));
            if (number.isPresent() && number.get().doubleValue() >= range.min()) {
                return Optional.of(new JsonNumber(number.get().toPlainString()));
            }
        }
        if (type instanceof Type.Word words && words.words().contains(scalar.getValue())) {
            return Optional.of(JsonValue.of(scalar.getValue()));
        }
        if (type instanceof Type.Text) {
            return Optional.of(JsonValue.of(scalar.getValue()));
        }
        wrong(node, path, expected(type));
        return Optional.empty();
    }

    private static Optional<java.math.BigDecimal> number(String text) {
        try {
            return Optional.of(new java.math.BigDecimal(text.trim()));
        } catch (NumberFormatException e) {
            return Optional.empty();
        }
    }

    private static String expected(Type type) {
        if (type instanceof Type.Bool) {
            return "yes or no";
        }
        if (type instanceof Type.Int) {
            return "a whole number";
        }
        if (type instanceof Type.Numeric) {
            return "a number";
        }
        return type instanceof Type.Word words ? "one of " + String.join(", ", words.words()) : "text";
    }

    private void wrong(Node node, String path, String expected) {
        String found = node instanceof ScalarNode scalar ? "\"" + scalar.getValue() + "\"" : "a " + node.getNodeId();
        String hint = expected.equals("a whole number") && node.getTag().equals(Tag.STR) ? "; remove the quotes" : "";
        problems.error(at(node), path, "expected " + expected + ", found " + found + hint);
    }

    /** Any value as YAML 1.1 reads it. */
    private static JsonValue any(Node node) {
        if (node instanceof MappingNode mapping) {
            Map<String, JsonValue> values = new LinkedHashMap<>();
            members(mapping).forEach((key, tuple) -> values.put(key, any(tuple.getValueNode())));
            return new JsonObject(values);
        }
        if (node instanceof SequenceNode sequence) {
            return new JsonArray(
                    sequence.getValue().stream().map(SchemaCheck::any).toList());
        }
        String text = ((ScalarNode) node).getValue();
        if (node.getTag().equals(Tag.NULL)) {
            return JsonNull.NULL;
        }
        if (node.getTag().equals(Tag.BOOL)) {
            return new JsonBool(List.of("yes", "true", "on").contains(text.toLowerCase(java.util.Locale.ROOT)));
        }
        if (node.getTag().equals(Tag.INT) || node.getTag().equals(Tag.FLOAT)) {
            Object number = new org.yaml.snakeyaml.Yaml(
                            new org.yaml.snakeyaml.constructor.SafeConstructor(new org.yaml.snakeyaml.LoaderOptions()))
                    .load(text);
            return number instanceof Number known
                    ? new JsonNumber(new java.math.BigDecimal(known.toString()).toPlainString())
                    : JsonValue.of(text);
        }
        return JsonValue.of(text);
    }

    private Location at(Node node) {
        return new Location(
                file, node.getStartMark().getLine() + 1, node.getStartMark().getColumn() + 1);
    }

    private static String join(String path, String name) {
        return path.isEmpty() ? name : path + "." + name;
    }

    /** Levenshtein's distance. */
    private static int distance(String a, String b) {
        int[] row = new int[b.length() + 1];
        for (int j = 0; j <= b.length(); j++) {
            row[j] = j;
        }
        for (int i = 1; i <= a.length(); i++) {
            int diagonal = row[0];
            row[0] = i;
            for (int j = 1; j <= b.length(); j++) {
                int above = row[j];
                int change = diagonal + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
                row[j] = Math.min(change, 1 + Math.min(above, row[j - 1]));
                diagonal = above;
            }
        }
        return row[b.length()];
    }
}
