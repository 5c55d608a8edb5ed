package nodepool.cli.verb;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import nodepool.api.json.JsonValue;
import nodepool.api.node.Node;
import nodepool.api.node.NodeState;
import nodepool.api.store.Snapshot;
import nodepool.cli.options.Arguments;
import nodepool.cli.options.Mistake;
import nodepool.cli.options.Option;
import nodepool.cli.output.Column;
import nodepool.cli.output.Column.Shown;
import nodepool.cli.output.Filter;
import nodepool.cli.output.Listing;

/**
 * A node in a list.
 *
 * @param node what is shown
 * @param locked whether anybody holds or waits for its lock
 * @param now the moment of which its age is told
 */
record NodeRow(Node node, boolean locked, Instant now) {

    private static final List<Column<NodeRow>> COLUMNS = List.of(
            Column.word("id", "ID", row -> row.node.id()),
            Column.text("provider", "Provider", row -> row.node.place().provider()),
            Column.texts("label", "Label", row -> row.node.types()),
            Column.text("server_id", "Server ID", row -> row.node.machine().externalId()),
            Column.text(
                    "public_ipv4", "Public IPv4", row -> row.node.addresses().publicIpv4()),
            Column.text("ipv6", "IPv6", row -> row.node.addresses().publicIpv6()),
            Column.word("state", "State", row -> row.node.state().wireName()),
            Column.<NodeRow>word("age", "Age", row -> Age.between(row.node.stateTime(), row.now))
                    .orderedBy(row -> JsonValue.of(row.seconds())),
            Column.word("locked", "Locked", row -> row.locked ? "locked" : "unlocked"),
            detail("pool", "Pool", row -> JsonValue.ofNullable(row.node.place().pool())),
            detail(
                    "hostname",
                    "Hostname",
                    row -> JsonValue.ofNullable(row.node.machine().hostname())),
            detail(
                    "private_ipv4",
                    "Private IPv4",
                    row -> JsonValue.ofNullable(row.node.addresses().privateIpv4())),
            detail("AZ", "AZ", row -> JsonValue.ofNullable(row.node.place().az())),
            detail(
                    "username",
                    "Username",
                    row -> JsonValue.ofNullable(row.node.connection().username())),
            detail("connection_port", "Port", row -> port(row.node)),
            detail(
                    "launcher",
                    "Launcher",
                    row -> JsonValue.ofNullable(row.node.machine().launcher())),
            detail(
                    "allocated_to",
                    "Allocated To",
                    row -> JsonValue.ofNullable(row.node.allocation().allocatedTo())),
            detail(
                    "hold_job",
                    "Hold Job",
                    row -> JsonValue.ofNullable(row.node.use().holdJob())),
            detail(
                    "comment",
                    "Comment",
                    row -> JsonValue.ofNullable(row.node.use().comment())),
            detail("user_data", "User Data", row -> row.node.use().userData()),
            detail("driver_data", "Driver Data", row -> row.node.machine().driverData()),
            Column.<NodeRow>number(
                            "state_time",
                            "State Time",
                            row -> row.node.stateTime().getEpochSecond())
                    .shown(Shown.DOCUMENTS));

    /** The list of nodes. */
    static final Listing<NodeRow> LISTING = new Listing<>(
            COLUMNS,
            List.of(
                    Filter.anyOf(
                            "--provider",
                            "PROVIDER",
                            "only those of this provider",
                            one(row -> row.node.place().provider())),
                    Filter.anyOf(
                            "--pool",
                            "POOL",
                            "only those of this pool",
                            one(row -> row.node.place().pool())),
                    Filter.anyOf("--label", "LABEL", "only those with this label", row -> row.node.types()),
                    Filter.state(
                            Arrays.stream(NodeState.values())
                                    .map(NodeState::wireName)
                                    .toList(),
                            row -> row.node.state().wireName()),
                    Filter.anyOf(
                            "--allocated-to",
                            "REQUEST",
                            "only those reserved for this request",
                            one(row -> row.node.allocation().allocatedTo())),
                    Filter.anyOf(
                            "--hold-job",
                            "JOB",
                            "only those held for this job",
                            one(row -> row.node.use().holdJob())),
                    new Filter<>(
                            Option.flag("only those that somebody has locked", "--locked"), any -> row -> row.locked),
                    new Filter<>(
                            Option.text(
                                    "TIME",
                                    "only those in their state for longer than 90s, 15m, 12h, 2d",
                                    "--older-than"),
                            value -> {
                                long seconds = Age.typed("--older-than", value).toSeconds();
                                return row -> row.seconds() > seconds;
                            })));

    /** Every node, by id. */
    static List<NodeRow> all(Snapshot snapshot, Instant now) {
        return snapshot.nodes().stream()
                .map(node -> new NodeRow(node, snapshot.isLocked(node.id()), now))
                .toList();
    }

    /** The table of {@code list} with these rows. */
    static void print(List<NodeRow> rows, Call call) throws Mistake {
        LISTING.view(new Arguments(Map.of(), List.of())).print(rows, call.out());
    }

    private long seconds() {
        return Duration.between(node.stateTime(), now).toSeconds();
    }

    private static Column<NodeRow> detail(String key, String header, Function<NodeRow, JsonValue> value) {
        return Column.of(key, header, value).shown(Shown.DETAIL);
    }

    private static Function<NodeRow, List<String>> one(Function<NodeRow, Optional<String>> value) {
        return row -> value.apply(row).map(List::of).orElseGet(ArrayList::new);
    }

    /** Container drivers keep credentials where others keep a number. */
    static JsonValue port(Node node) {
        return node.connection().portNumber().isPresent() ? node.connection().port() : JsonValue.of("redacted");
    }
}
