package nodepool.cli.verb;

import java.util.Optional;

/** {@code component-list}: which processes have registered. */
final class ListComponents {

    private ListComponents() {}

    static Verb verb() {
        return new ListVerb<>(
                Verb.named("component-list", "list the launchers, pools and builders that are running")
                        .example("nodepool component-list --kind builder")
                        .example("nodepool component-list --label small --detail"),
                ComponentRow.LISTING,
                Optional.of("component"),
                (snapshot, now, context) -> ComponentRow.all(snapshot));
    }
}
