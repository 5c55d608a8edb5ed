package nodepool.launcher;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import nodepool.api.driver.LabelConfig;
import nodepool.api.driver.NodeRequestHandler;
import nodepool.api.image.ImageUpload;
import nodepool.api.node.Node;
import nodepool.api.node.NodeState;
import nodepool.api.request.NodeRequest;
import nodepool.api.store.Snapshot;
import nodepool.api.verdict.Reason;

/**
 * Finds a ready node, or room for a new one, for each open seat of one request, strictly in order: after the first seat for
 * which there is neither, the rest wait, so that what becomes free later serves them in the same order.
 *
 * @param means the pool
 * @param view what the pool decides on
 * @param snapshot in which images are looked up
 */
record Planner(PoolMeans means, PoolView view, Snapshot snapshot) {

    /**
     * Sets room aside for every node to be made, and takes the ready nodes out of the stock.
     *
     * @param labels of the open seats
     * @param have nodes the request has already, on which the driver's choices may depend
     */
    Plan plan(
            NodeRequest request, List<String> labels, Collection<Node> have, NodeRequestHandler handler, Stock stock) {
        List<Plan.Choice> choices = new ArrayList<>();
        List<Node> chosen = new ArrayList<>(have);
        Optional<Reason> shortage = Optional.empty();
        for (String label : labels) {
            Optional<Node> ready = shortage.isEmpty() && request.wanted().reuse()
                    ? stock.take(label, node -> handler.checkReusableNode(node, chosen))
                    : Optional.empty();
            if (ready.isPresent()) {
                choices.add(new Plan.Choice.Reuse(ready.get()));
                chosen.add(ready.get());
                continue;
            }
            Object token = new Object();
            shortage = shortage.or(() -> reserve(token, label));
            if (shortage.isPresent()) {
                choices.add(new Plan.Choice.Wait());
            } else {
                Node draft = handler.setNodeMetadata(draft(request, label), chosen);
                choices.add(new Plan.Choice.Make(token, draft));
                chosen.add(draft);
            }
        }
        return new Plan(choices, shortage);
    }

    private Optional<Reason> reserve(Object token, String label) {
        if (!view.launches()) {
            return Optional.of(Reason.of(Reason.Code.NO_FREE_NODE, "no free node has label " + label));
        }
        return means.slot()
                .ledger()
                .reserve(
                        token,
                        view.pool(),
                        view.facts().need(means.poolName(), label),
                        view.facts().limits());
    }

    private Node draft(NodeRequest request, String label) {
        Instant now = means.clock().instant();
        Node.Machine machine = Node.Machine.NONE
                .withLauncher(means.launcherId(), now)
                .withResources(view.facts().need(means.poolName(), label))
                .withAttributes(view.pool().nodeAttributes());
        Node.Place place = Node.Place.in(means.slot().name(), means.poolName());
        Node draft = Node.draft(NodeState.INIT, List.of(label), place, machine, now)
                .withAllocation(Node.Allocation.to(request));
        return view.pool()
                .label(label)
                .map(config ->
                        draft.withConnection(config.connection()).withMachine(machine.withImageId(imageId(config))))
                .orElse(draft);
    }

    private Optional<String> imageId(LabelConfig label) {
        return label.diskImage()
                .flatMap(image -> snapshot.currentUpload(image, means.slot().name()))
                .map(ImageUpload::path)
                .or(label::cloudImage);
    }
}
