package nodepool.cli.verb;

import java.util.List;
import java.util.Optional;
import nodepool.api.node.Node;
import nodepool.api.node.NodeState;
import nodepool.api.store.Snapshot;
import nodepool.cli.options.Mistake;
import nodepool.cli.options.Option;
import nodepool.cli.options.Positional;
import nodepool.cli.options.Syntax;

/** {@code delete}. A launcher removes the machine; this command only asks for it, and waits for it if told to. */
final class DeleteNode implements Verb {

    private final Syntax syntax = Verb.named("delete", "place a node in the DELETE state")
            .with(Option.flag("wait until a launcher has removed the machine and the record", "--now"))
            .with(Positional.one("ID", "of the node; leading zeros may be left out"))
            .example("nodepool delete 42")
            .example("nodepool delete --now 0000000042");

    @Override
    public Syntax syntax() {
        return syntax;
    }

    @Override
    public int run(Call call) throws CommandException, Mistake {
        boolean now = call.arguments().has("--now");
        if (now) {
            refuseWithoutProvider(call);
        }
        Node deleting = NodeChange.make(call, node -> node.withState(NodeState.DELETING, call.now()));
        if (!now) {
            NodeChange.print(deleting, call);
            return 0;
        }
        String provider = deleting.place().provider().orElse("");
        boolean gone = SnapshotWatch.until(
                call.context(),
                "waiting for node " + deleting.id() + " to be deleted",
                seen -> end(seen, deleting.id(), provider));
        if (!gone) {
            throw CommandException.failed("Node " + deleting.id()
                    + " is marked for deletion, but no launcher that serves " + provider + " is running");
        }
        NodeRow.print(List.of(), call);
        return 0;
    }

    private static void refuseWithoutProvider(Call call) throws CommandException {
        Node node = NodeChange.find(call);
        String provider = node.place().provider().orElse("None");
        boolean known = call.context()
                .configuration()
                .flatMap(configuration -> configuration.provider(provider))
                .isPresent();
        if (!known) {
            throw CommandException.no(
                    "Provider " + provider + " for node " + node.id() + " not defined on this launcher");
        }
    }

    /** True when the node is gone, false when nobody is there who would remove it. */
    private static Optional<Boolean> end(Snapshot seen, String id, String provider) {
        if (seen.node(id).isEmpty()) {
            return Optional.of(true);
        }
        boolean served = seen.components().stream()
                .flatMap(component -> component.pool().stream())
                .anyMatch(pool -> pool.provider().equals(provider));
        return served ? Optional.empty() : Optional.of(false);
    }
}
