package nodepool.config;

import java.util.ArrayDeque;
import java.util.Collections;
import java.util.Deque;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import nodepool.api.config.Location;
import nodepool.api.config.Problem.Severity;
import org.yaml.snakeyaml.nodes.MappingNode;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.NodeTuple;
import org.yaml.snakeyaml.nodes.ScalarNode;
import org.yaml.snakeyaml.nodes.SequenceNode;
import org.yaml.snakeyaml.nodes.Tag;

/**
 * Finds what is wrong with a tree whatever it means: keys given twice, variables left over, tags that are not plain data,
 * and aliases that contain themselves.
 */
final class TreeCheck {

    private static final Set<Tag> PLAIN =
            Set.of(Tag.MAP, Tag.SEQ, Tag.STR, Tag.INT, Tag.FLOAT, Tag.BOOL, Tag.NULL, Tag.TIMESTAMP, Tag.MERGE);

    private final String file;
    private final Map<String, String> environment;
    private final Problems problems;
    private final Set<Node> done = Collections.newSetFromMap(new IdentityHashMap<>());
    private final Deque<Node> above = new ArrayDeque<>();

    TreeCheck(String file, Map<String, String> environment, Problems problems) {
        this.file = file;
        this.environment = environment;
        this.problems = problems;
    }

    /** Whether the tree can be read on. */
    boolean sound(Node node, String path) {
        if (above.contains(node)) {
            problems.error(YamlNodes.at(file, node), path, "an alias stands inside of what it stands for");
            return false;
        }
        if (!done.add(node)) {
            return true;
        }
        if (!PLAIN.contains(node.getTag())) {
            problems.error(
                    YamlNodes.at(file, node), path, "the tag " + node.getTag().getValue() + " is not plain data");
        }
        above.push(node);
        boolean sound = true;
        if (node instanceof MappingNode mapping) {
            sound = mapping(mapping, path);
        } else if (node instanceof SequenceNode list) {
            List<Node> items = list.getValue();
            for (int i = 0; i < items.size(); i++) {
                sound &= sound(items.get(i), path + "[" + YamlNodes.title(items.get(i), i) + "]");
            }
        } else if (node instanceof ScalarNode scalar) {
            leftOver(scalar, path);
        }
        above.pop();
        return sound;
    }

    private boolean mapping(MappingNode mapping, String path) {
        boolean sound = true;
        Map<String, Location> seen = new HashMap<>();
        for (NodeTuple tuple : mapping.getValue()) {
            String name = tuple.getKeyNode() instanceof ScalarNode key ? key.getValue() : "?";
            Location at = YamlNodes.at(file, tuple.getKeyNode());
            if (tuple.getKeyNode() instanceof ScalarNode key && !key.getTag().equals(Tag.MERGE)) {
                Location first = seen.putIfAbsent(name, at);
                if (first != null) {
                    problems.add(
                            Severity.UNKNOWN_KEY,
                            at,
                            YamlNodes.join(path, name),
                            "the key " + name + " is given twice, first at " + first + "; the last one counts");
                }
                leftOver(key, path);
            } else if (!(tuple.getKeyNode() instanceof ScalarNode)) {
                problems.error(at, path, "a key must be text");
            }
            sound &= sound(tuple.getValueNode(), YamlNodes.join(path, name));
        }
        return sound;
    }

    private void leftOver(ScalarNode scalar, String path) {
        Matcher matcher = YamlText.VARIABLE.matcher(scalar.getValue());
        while (matcher.find()) {
            if (!environment.containsKey(matcher.group(1))) {
                problems.warning(
                        YamlNodes.at(file, scalar),
                        path,
                        "the environment variable " + matcher.group(1) + " is not set");
            }
        }
    }
}
