package nodepool.cli.verb;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import nodepool.api.config.Configuration;
import nodepool.api.config.Label;
import nodepool.api.json.JsonValue;
import nodepool.api.json.JsonValue.JsonNull;
import nodepool.api.node.Node;
import nodepool.api.node.NodeState;
import nodepool.api.registry.Registration;
import nodepool.api.request.NodeRequest;
import nodepool.api.store.Snapshot;
import nodepool.cli.output.Column;
import nodepool.cli.output.Filter;
import nodepool.cli.output.Listing;

/** {@code label-list}: the labels that are configured or offered, and what there is of each. */
final class ListLabels {

    /**
     * @param pools that offer it, as {@code provider-pool}
     * @param nodes with it, in any state
     * @param free ready and nobody's
     * @param waiting open requests that ask for it
     */
    private record Row(
            String label, Optional<Label> configured, List<String> pools, long nodes, long free, long waiting) {

        static Row of(String label, Optional<Label> configured, Snapshot snapshot) {
            List<String> pools = snapshot.components().stream()
                    .flatMap(component -> component.pool().stream())
                    .filter(pool -> pool.supportedLabels().contains(label))
                    .map(Row::title)
                    .distinct()
                    .sorted()
                    .toList();
            List<Node> nodes = snapshot.nodes().stream()
                    .filter(node -> node.types().contains(label))
                    .toList();
            long free = nodes.stream()
                    .filter(node -> node.state() == NodeState.READY && !node.isAllocated())
                    .count();
            return new Row(label, configured, pools, nodes.size(), free, waiting(label, snapshot));
        }

        private static String title(Registration.Pool pool) {
            return pool.provider() + pool.name().map(name -> "-" + name).orElse("");
        }

        private static long waiting(String label, Snapshot snapshot) {
            return snapshot.requests().stream()
                    .filter((NodeRequest request) -> !request.state().isFinal()
                            && request.wanted().nodeTypes().contains(label))
                    .count();
        }
    }

    private static final Listing<Row> LISTING = new Listing<>(
            List.of(
                    Column.word("label", "Label", Row::label),
                    Column.of(
                            "min_ready",
                            "Min Ready",
                            row -> row.configured
                                    .map(label -> JsonValue.of(label.minReady()))
                                    .orElse(JsonNull.NULL)),
                    Column.number("ready", "Ready", Row::free),
                    Column.number("nodes", "Nodes", Row::nodes),
                    Column.number("requests", "Requests", Row::waiting),
                    Column.texts("pools", "Pools", Row::pools)),
            List.of(
                    Filter.anyOf("--label", "LABEL", "only this label", row -> List.of(row.label)),
                    Filter.anyOf("--pool", "POOL", "only what this pool offers: provider-pool", Row::pools)));

    private ListLabels() {}

    static Verb verb() {
        return new ListVerb<>(
                Verb.named("label-list", "list the labels, who offers them and what there is of them")
                        .example("nodepool label-list --sort requests"),
                LISTING,
                Optional.empty(),
                (snapshot, now, context) -> rows(snapshot, context));
    }

    private static List<Row> rows(Snapshot snapshot, CommandContext context) {
        Map<String, Label> configured =
                context.configuration().map(Configuration::labels).orElse(Map.of());
        Set<String> names = new TreeSet<>(configured.keySet());
        snapshot.components().stream()
                .flatMap(component -> component.pool().stream())
                .forEach(pool -> names.addAll(pool.supportedLabels()));
        List<Row> rows = new ArrayList<>();
        names.forEach(name -> rows.add(Row.of(name, Optional.ofNullable(configured.get(name)), snapshot)));
        return rows;
    }
}
