package nodepool.driver.staticnode;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import nodepool.api.config.Section;
import nodepool.api.driver.LoadContext;
import nodepool.api.json.JsonValue.JsonNull;
import nodepool.driver.staticnode.StaticNode.Identity;

/**
 * Reads one entry and checks what a schema cannot say. It sees one provider at a time, so that two static providers do not
 * list the same host, user and port is not checked.
 */
final class StaticConfigReader {

    private static final int SSH = 22;
    private static final int WINRM = 5986;

    private final LoadContext load;
    private final Map<Identity, String> seen = new HashMap<>();

    StaticConfigReader(LoadContext load) {
        this.load = load;
    }

    StaticConfig read(Section provider) {
        int priority = provider.integer("priority", 100);
        List<StaticPool> pools = new ArrayList<>();
        for (Section pool : provider.sections("pools")) {
            pools.add(new StaticPool(
                    pool.require("name"),
                    pool.integer("max-servers"),
                    pool.integer("priority", priority),
                    pool.json("node-attributes").orElse(JsonNull.NULL),
                    pool.sections("nodes").stream().map(this::node).toList()));
        }
        return new StaticConfig(provider.require("name"), provider.integer("max-concurrency", -1), pools);
    }

    private StaticNode node(Section node) {
        String type = node.text("connection-type").orElse("ssh");
        StaticNode read = new StaticNode(
                node.require("name"),
                labels(node),
                node.text("username").orElse("zuul"),
                Duration.ofSeconds(node.integer("timeout", 5)),
                node.bool("host-key-checking", true),
                node.texts("host-key").stream().map(String::strip).toList(),
                type,
                node.integer("connection-port", type.equals("winrm") ? WINRM : SSH),
                node.text("shell-type"),
                node.text("python-path").orElse("auto"),
                node.integer("max-parallel-jobs", 1));
        if (!read.name().isEmpty()) {
            unique(node, read.identity());
        }
        return read;
    }

    private List<String> labels(Section node) {
        Set<String> labels = new LinkedHashSet<>();
        for (String text : node.texts("labels")) {
            List<String> words = List.of(text.strip().split("\\s+"));
            if (words.size() > 1) {
                load.warning(node, "labels", "'%s' is read as the labels %s; write a list".formatted(text, words));
            }
            labels.addAll(words);
        }
        labels.remove("");
        for (String label : labels) {
            if (!load.labels().containsKey(label)) {
                load.error(node, "labels", "label '" + label + "' is not defined under the top level 'labels'");
            }
        }
        if (labels.isEmpty() && node.has("labels")) {
            load.error(node, "labels", "at least one label is needed");
        }
        return List.copyOf(labels);
    }

    private void unique(Section node, Identity identity) {
        String first = seen.putIfAbsent(identity, node.at().toString());
        if (first != null) {
            load.error(
                    node,
                    "name",
                    "%s is listed twice, first at %s: name, username and connection-port together must be unique"
                            .formatted(identity, first));
        }
    }
}
