package nodepool.cli.verb;

import java.util.Optional;

/** {@code list}. */
final class ListNodes {

    private ListNodes() {}

    static Verb verb() {
        return new ListVerb<>(
                Verb.named("list", "list nodes")
                        .example("nodepool list --detail")
                        .example("nodepool list --provider east --state ready,hold --format json")
                        .example("nodepool list --older-than 2d --fields id,state,age --sort age"),
                NodeRow.LISTING,
                Optional.of("node"),
                (snapshot, now, context) -> NodeRow.all(snapshot, now));
    }
}
