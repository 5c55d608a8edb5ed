package nodepool.cli.verb;

import java.util.Optional;
import java.util.OptionalLong;
import nodepool.api.node.Node;
import nodepool.api.node.NodeState;
import nodepool.cli.options.Mistake;
import nodepool.cli.options.Positional;
import nodepool.cli.options.Syntax;

/**
 * {@code unhold}. A node that nobody has had becomes stock again; one that was in use becomes {@code used}, and its driver
 * decides whether it is deleted or given out again.
 */
final class UnholdNode implements Verb {

    private final Syntax syntax = Verb.named(
                    "unhold", "end a hold: an unused node is ready again, a used one is given back")
            .with(Positional.one("ID", "of the node; leading zeros may be left out"))
            .example("nodepool unhold 42");

    @Override
    public Syntax syntax() {
        return syntax;
    }

    @Override
    public int run(Call call) throws CommandException, Mistake {
        Node released = NodeChange.make(call, node -> {
            if (node.state() != NodeState.HOLD) {
                throw CommandException.no("Node id " + node.id() + " is not held, its state is "
                        + node.state().wireName());
            }
            boolean unused = !node.isAllocated() && node.use().holdJob().isEmpty();
            return node.withUse(new Node.Use(
                            Optional.empty(), node.use().userData(), Optional.empty(), OptionalLong.empty()))
                    .withState(unused ? NodeState.READY : NodeState.USED, call.now());
        });
        NodeChange.print(released, call);
        return 0;
    }
}
