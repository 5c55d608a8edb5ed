package nodepool.cli.verb;

import nodepool.api.store.Snapshot;
import nodepool.cli.options.Mistake;
import nodepool.cli.options.Syntax;
import nodepool.cli.output.Listing.View;

/** {@code list}. */
final class ListNodes implements Verb {

    private final Syntax syntax = NodeRow.LISTING
            .addTo(Verb.named("list", "list nodes"))
            .example("nodepool list --detail")
            .example("nodepool list --provider east --state ready,hold --format json")
            .example("nodepool list --older-than 2d --fields id,state,age --sort age");

    @Override
    public Syntax syntax() {
        return syntax;
    }

    @Override
    public int run(Call call) throws CommandException, Mistake {
        View<NodeRow> view = NodeRow.LISTING.view(call.arguments());
        Snapshot snapshot = call.context().snapshot();
        view.print(NodeRow.all(snapshot, call.now()), call.out());
        Unreadable.tell(snapshot, "node", call.err());
        return 0;
    }
}
