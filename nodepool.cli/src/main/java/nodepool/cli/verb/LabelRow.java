package nodepool.cli.verb;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import nodepool.api.node.Node;
import nodepool.api.node.NodeState;
import nodepool.api.store.Snapshot;
import nodepool.cli.output.Column;
import nodepool.cli.output.Column.Shown;
import nodepool.cli.output.Listing;

/**
 * A label that some registered pool offers.
 *
 * @param label its name
 * @param providers of the pools that offer it
 * @param nodes how many nodes have it, in any state
 * @param ready how many of them are ready and reserved for nobody
 */
record LabelRow(String label, List<String> providers, long nodes, long ready) {

    /** The list of labels. */
    static final Listing<LabelRow> LISTING = new Listing<>(
            List.of(
                    Column.word("label", "Label", LabelRow::label),
                    Column.<LabelRow>texts("providers", "Providers", LabelRow::providers)
                            .shown(Shown.DOCUMENTS),
                    Column.<LabelRow>number("nodes", "Nodes", LabelRow::nodes).shown(Shown.DOCUMENTS),
                    Column.<LabelRow>number("ready", "Ready", LabelRow::ready).shown(Shown.DOCUMENTS)),
            List.of());

    /** Every label on offer, by name. */
    static List<LabelRow> all(Snapshot snapshot) {
        Map<String, Set<String>> providers = new TreeMap<>();
        snapshot.components().stream()
                .flatMap(component -> component.pool().stream())
                .forEach(pool -> pool.supportedLabels()
                        .forEach(label -> providers
                                .computeIfAbsent(label, any -> new TreeSet<>())
                                .add(pool.provider())));
        Map<String, Long> nodes = new TreeMap<>();
        Map<String, Long> ready = new TreeMap<>();
        for (Node node : snapshot.nodes()) {
            for (String label : node.types()) {
                nodes.merge(label, 1L, Long::sum);
                if (node.state() == NodeState.READY && !node.isAllocated()) {
                    ready.merge(label, 1L, Long::sum);
                }
            }
        }
        return providers.entrySet().stream()
                .map(label -> new LabelRow(
                        label.getKey(),
                        List.copyOf(label.getValue()),
                        nodes.getOrDefault(label.getKey(), 0L),
                        ready.getOrDefault(label.getKey(), 0L)))
                .toList();
    }
}
