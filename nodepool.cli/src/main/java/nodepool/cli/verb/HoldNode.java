package nodepool.cli.verb;

import java.util.Optional;
import java.util.OptionalLong;
import nodepool.api.node.Node;
import nodepool.api.node.NodeState;
import nodepool.cli.options.Arguments;
import nodepool.cli.options.Mistake;
import nodepool.cli.options.Option;
import nodepool.cli.options.Positional;
import nodepool.cli.options.Syntax;

/** {@code hold}. */
final class HoldNode implements Verb {

    private final Syntax syntax = Verb.named("hold", "place a node in the HOLD state")
            .with(
                    Option.text("WHY", "stored with the node for the next operator", "--comment"),
                    Option.text("JOB", "the job it is held for", "--job"),
                    Option.text("TIME", "until it is deleted: 90s, 15m, 12h, 2d", "--expires"))
            .with(Positional.one("ID", "of the node; leading zeros may be left out"))
            .example("nodepool hold 42 --comment \"disk is full, see ticket 7\" --expires 2d");

    @Override
    public Syntax syntax() {
        return syntax;
    }

    @Override
    public int run(Call call) throws CommandException, Mistake {
        Arguments arguments = call.arguments();
        Optional<String> expires = arguments.value("--expires");
        OptionalLong seconds = expires.isPresent()
                ? OptionalLong.of(Age.typed("--expires", expires.get()).toSeconds())
                : OptionalLong.empty();
        Node held = NodeChange.make(call, node -> {
            Node.Use before = node.use();
            return node.withUse(new Node.Use(
                            arguments.value("--comment").or(before::comment),
                            before.userData(),
                            arguments.value("--job").or(before::holdJob),
                            seconds.isPresent() ? seconds : before.holdExpiration()))
                    .withState(NodeState.HOLD, call.now());
        });
        NodeChange.print(held, call);
        return 0;
    }
}
