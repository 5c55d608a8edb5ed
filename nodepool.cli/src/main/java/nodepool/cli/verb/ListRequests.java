package nodepool.cli.verb;

import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import nodepool.api.request.NodeRequest;
import nodepool.api.request.RequestState;
import nodepool.api.store.Snapshot;
import nodepool.cli.output.Column;
import nodepool.cli.output.Column.Shown;
import nodepool.cli.output.Filter;
import nodepool.cli.output.Listing;

/** {@code request-list}. */
final class ListRequests {

    /** The list of requests. */
    static final Listing<NodeRequest> LISTING = new Listing<>(
            List.of(
                    Column.word("id", "Request ID", NodeRequest::id),
                    Column.number("relative_priority", "Priority", row ->
                            (long) row.wanted().relativePriority()),
                    Column.word("state", "State", row -> row.state().wireName()),
                    Column.text("requestor", "Requestor", row -> row.asker().requestor()),
                    Column.texts("node_types", "Node Types", row -> row.wanted().nodeTypes()),
                    Column.texts("nodes", "Nodes", NodeRequest::nodes),
                    Column.texts("declined_by", "Declined By", NodeRequest::declinedBy),
                    Column.text("event_id", "Event ID", row -> row.asker().eventId()),
                    Column.<NodeRequest>text(
                                    "provider", "Provider", row -> row.wanted().provider())
                            .shown(Shown.DOCUMENTS),
                    Column.<NodeRequest>text(
                                    "tenant_name", "Tenant", row -> row.asker().tenantName())
                            .shown(Shown.DOCUMENTS),
                    Column.<NodeRequest>number(
                                    "state_time",
                                    "State Time",
                                    row -> row.stateTime().getEpochSecond())
                            .shown(Shown.DOCUMENTS)),
            List.of(
                    Filter.state(
                            Arrays.stream(RequestState.values())
                                    .map(RequestState::wireName)
                                    .toList(),
                            row -> row.state().wireName()),
                    Filter.anyOf(
                            "--label",
                            "LABEL",
                            "only those that ask for this label",
                            row -> row.wanted().nodeTypes()),
                    Filter.anyOf(
                            "--provider",
                            "PROVIDER",
                            "only those that prefer this provider",
                            row -> row.wanted().provider().stream().toList()),
                    Filter.anyOf(
                            "--requestor",
                            "REQUESTOR",
                            "only those of this requestor",
                            row -> row.asker().requestor().stream().toList()),
                    Filter.anyOf(
                            "--event-id",
                            "ID",
                            "only those of this event",
                            row -> row.asker().eventId().stream().toList())));

    private ListRequests() {}

    static Verb verb() {
        return new ListVerb<>(
                Verb.named("request-list", "list the current node requests")
                        .example("nodepool request-list")
                        .example("nodepool request-list --state pending --format json"),
                LISTING,
                Optional.of("request"),
                (snapshot, now, context) -> rows(snapshot));
    }

    /** Every request, by id. */
    static List<NodeRequest> rows(Snapshot snapshot) {
        return snapshot.requests().stream()
                .sorted(Comparator.comparing(NodeRequest::id))
                .toList();
    }
}
