package nodepool.config;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import nodepool.api.config.Location;
import nodepool.api.config.Problem.Severity;
import nodepool.api.config.Schema;
import nodepool.api.config.Schema.Key;
import nodepool.api.config.Schema.Rule;
import nodepool.api.config.Schema.Type;
import nodepool.api.json.JsonValue;
import nodepool.api.json.JsonValue.JsonArray;
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
    private final ScalarCheck scalars;

    SchemaCheck(String file, Problems problems) {
        this(file, false, problems);
    }

    /** With {@code secret}, no value is shown. */
    SchemaCheck(String file, boolean secret, Problems problems) {
        this.file = file;
        this.problems = problems;
        this.scalars = new ScalarCheck(file, secret, problems);
    }

    YamlSection check(MappingNode mapping, Schema schema, String path) {
        Map<String, JsonValue> values = new LinkedHashMap<>();
        Map<String, Location> places = new LinkedHashMap<>();
        Map<String, List<YamlSection>> below = new LinkedHashMap<>();
        Set<String> secrets = new HashSet<>();
        Map<String, NodeTuple> members = YamlNodes.members(mapping);
        for (Map.Entry<String, NodeTuple> member : members.entrySet()) {
            Optional<Key> known = find(schema, member.getKey());
            Node value = member.getValue().getValueNode();
            Location at = at(member.getValue().getKeyNode());
            if (known.isEmpty() && schema.others().isEmpty()) {
                problems.add(Severity.UNKNOWN_KEY, at, path, UnknownKeys.message(schema, member.getKey(), path));
                continue;
            }
            if (value.getTag().equals(Tag.NULL)) {
                problems.warning(at, path, member.getKey() + " has no value and counts as left out");
                continue;
            }
            String name = known.map(Key::name).orElse(member.getKey());
            known.ifPresent(key -> outdated(key, member.getKey(), at, path));
            if (name.equals(member.getKey()) || !members.containsKey(name)) {
                places.put(name, at(value));
                Type type = known.map(Key::type).or(schema::others).orElse(Type.ANY);
                value(value, type, YamlNodes.join(path, name), below, name).ifPresent(json -> values.put(name, json));
                if (type instanceof Type.Secret && value instanceof ScalarNode scalar) {
                    secrets.add(scalar.getValue());
                }
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
        return new YamlSection(at(mapping), path, values, places, below, secrets);
    }

    private static Optional<Key> find(Schema schema, String name) {
        return schema.keys().stream()
                .filter(key -> key.name().equals(name) || key.aliases().contains(name))
                .findFirst();
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
                YamlNodes.members(found)
                        .forEach((key, tuple) -> value(
                                        tuple.getValueNode(),
                                        each.value(),
                                        YamlNodes.join(path, key),
                                        new LinkedHashMap<>(),
                                        key)
                                .ifPresent(json -> members.put(key, json)));
                return new JsonObject(members);
            });
        }
        return type instanceof Type.Any ? Optional.of(YamlNodes.json(node)) : scalars.check(node, type, path);
    }

    private Optional<MappingNode> map(Node node, String path) {
        if (node instanceof MappingNode mapping) {
            return Optional.of(mapping);
        }
        scalars.wrong(node, path, "a mapping");
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
            scalars.wrong(node, path, "a list");
            return new JsonArray(List.of());
        }
        List<JsonValue> values = new ArrayList<>();
        List<YamlSection> sections = new ArrayList<>();
        Map<String, Location> seen = new LinkedHashMap<>();
        for (int i = 0; i < items.size(); i++) {
            Node item = items.get(i);
            Map<String, List<YamlSection>> one = new LinkedHashMap<>();
            value(item, type.item(), path + "[" + YamlNodes.title(item, i) + "]", one, "item")
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

    private Location at(Node node) {
        return YamlNodes.at(file, node);
    }
}
