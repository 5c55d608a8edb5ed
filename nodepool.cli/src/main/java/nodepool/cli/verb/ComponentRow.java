package nodepool.cli.verb;

import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import nodepool.api.json.JsonValue;
import nodepool.api.json.JsonValue.JsonBool;
import nodepool.api.json.JsonValue.JsonNull;
import nodepool.api.registry.Registration;
import nodepool.api.store.Snapshot;
import nodepool.cli.output.Column;
import nodepool.cli.output.Column.Shown;
import nodepool.cli.output.Filter;
import nodepool.cli.output.Listing;

/** A running part of Nodepool, as it has registered. */
record ComponentRow(Registration component) {

    /** The list of components. */
    static final Listing<ComponentRow> LISTING = new Listing<>(
            List.of(
                    Column.word("kind", "Kind", row -> row.component.kind().wireName()),
                    Column.word("hostname", "Hostname", row -> row.component.hostname()),
                    Column.word("state", "State", row -> row.component.state()),
                    Column.text("version", "Version", row -> row.component.version()),
                    Column.text("provider_name", "Provider", row -> row.pool().map(Registration.Pool::provider)),
                    Column.text("name", "Pool", row -> row.pool().flatMap(Registration.Pool::name)),
                    Column.of(
                            "priority",
                            "Priority",
                            row -> row.pool()
                                    .map(pool -> JsonValue.of(pool.priority()))
                                    .orElse(JsonNull.NULL)),
                    Column.of(
                            "paused",
                            "Paused",
                            row -> row.pool()
                                    .<JsonValue>map(pool -> new JsonBool(pool.paused()))
                                    .orElse(JsonNull.NULL)),
                    Column.texts(
                            "labels",
                            "Labels",
                            row -> row.pool()
                                    .map(Registration.Pool::supportedLabels)
                                    .orElse(List.of())),
                    Column.<ComponentRow>text("id", "ID", row -> row.pool().map(Registration.Pool::id))
                            .shown(Shown.DETAIL)),
            List.of(
                    Filter.anyOf(
                            "--kind",
                            "KIND",
                            "only pool, launcher or builder",
                            row -> List.of(row.component.kind().wireName())),
                    Filter.anyOf(
                            "--provider",
                            "PROVIDER",
                            "only pools of this provider",
                            row -> row.pool().map(Registration.Pool::provider).stream()
                                    .toList()),
                    Filter.anyOf(
                            "--label",
                            "LABEL",
                            "only pools that offer this label",
                            row -> row.pool()
                                    .map(Registration.Pool::supportedLabels)
                                    .orElse(List.of())),
                    Filter.anyOf(
                            "--state", "STATE", "only those in this state", row -> List.of(row.component.state()))));

    private Optional<Registration.Pool> pool() {
        return component.pool();
    }

    /** Every component, by kind, host and pool. */
    static List<ComponentRow> all(Snapshot snapshot) {
        return snapshot.components().stream()
                .map(ComponentRow::new)
                .sorted(Comparator.<ComponentRow, Registration.Kind>comparing(row -> row.component.kind())
                        .thenComparing(row -> row.component.hostname())
                        .thenComparing(row ->
                                row.pool().map(Registration.Pool::provider).orElse(""))
                        .thenComparing(
                                row -> row.pool().map(Registration.Pool::id).orElse("")))
                .toList();
    }
}
