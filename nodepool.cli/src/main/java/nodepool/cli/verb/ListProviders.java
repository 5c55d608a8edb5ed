package nodepool.cli.verb;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import nodepool.api.config.ProviderEntry;
import nodepool.api.config.Section;
import nodepool.api.json.JsonValue.JsonArray;
import nodepool.api.json.JsonValue.JsonObject;
import nodepool.api.node.Node;
import nodepool.api.node.NodeState;
import nodepool.api.registry.Registration;
import nodepool.api.store.ProviderMark;
import nodepool.api.store.Snapshot;
import nodepool.cli.output.Column;
import nodepool.cli.output.Filter;
import nodepool.cli.output.Listing;

/** {@code provider-list}: the providers of the configuration, of the running launchers and of the nodes there are. */
final class ListProviders {

    private static final List<String> STATES =
            List.of("running", "at-quota", "paused", "drained", "not-served", "not-configured");

    /**
     * @param driver absent if it is not in the configuration at hand
     * @param pools as configured, or as registered if it is not configured
     * @param launchers hosts that serve it
     * @param mark what an operator wants of it
     * @param paused whether every pool of it is at its quota
     */
    private record Row(
            String name,
            Optional<String> driver,
            List<String> pools,
            List<String> launchers,
            Optional<ProviderMark> mark,
            boolean paused,
            List<Node> nodes) {

        String state() {
            if (launchers.isEmpty()) {
                return driver.isPresent() ? "not-served" : "not-configured";
            }
            if (mark.isPresent()) {
                return mark.get().name().toLowerCase(Locale.ROOT);
            }
            return paused ? "at-quota" : "running";
        }

        long in(NodeState state) {
            return nodes.stream().filter(node -> node.state() == state).count();
        }

        /** Also without the driver, whose schema would make a section of each. */
        private static List<String> configuredPools(Section provider) {
            return provider.json("pools").stream()
                    .flatMap(value -> value instanceof JsonArray pools ? pools.items().stream() : Stream.empty())
                    .flatMap(value -> value instanceof JsonObject pool ? pool.get("name").stream() : Stream.empty())
                    .flatMap(name -> name.asText().stream())
                    .toList();
        }

        static Row of(String name, Optional<ProviderEntry> entry, Snapshot snapshot) {
            List<Registration> serving = snapshot.components().stream()
                    .filter(component -> component
                            .pool()
                            .filter(pool -> pool.provider().equals(name))
                            .isPresent())
                    .toList();
            List<Registration.Pool> registered =
                    serving.stream().flatMap(one -> one.pool().stream()).toList();
            List<String> pools = entry.isPresent()
                    ? configuredPools(entry.get().section())
                    : registered.stream()
                            .flatMap(pool -> pool.name().stream())
                            .distinct()
                            .sorted()
                            .toList();
            return new Row(
                    name,
                    entry.map(ProviderEntry::driver),
                    pools,
                    serving.stream()
                            .map(Registration::hostname)
                            .distinct()
                            .sorted()
                            .toList(),
                    snapshot.mark(name),
                    registered.stream().allMatch(Registration.Pool::paused),
                    List.copyOf(snapshot.nodesOf(name)));
        }
    }

    private static final Listing<Row> LISTING = new Listing<>(
            List.of(
                    Column.word("name", "Provider", Row::name),
                    Column.text("driver", "Driver", Row::driver),
                    Column.word("state", "State", Row::state),
                    Column.texts("pools", "Pools", Row::pools),
                    Column.texts("launchers", "Launchers", Row::launchers),
                    Column.number("nodes", "Nodes", row -> (long) row.nodes.size()),
                    Column.number("building", "Building", row -> row.in(NodeState.BUILDING)),
                    Column.number("ready", "Ready", row -> row.in(NodeState.READY)),
                    Column.number("in_use", "In Use", row -> row.in(NodeState.IN_USE))),
            List.of(
                    Filter.anyOf("--provider", "PROVIDER", "only this provider", row -> List.of(row.name)),
                    Filter.anyOf(
                            "--driver",
                            "DRIVER",
                            "only those of this driver",
                            row -> row.driver.stream().toList()),
                    Filter.state(STATES, Row::state)));

    private ListProviders() {}

    static Verb verb(String command) {
        return new ListVerb<>(
                Verb.named(command, "list the providers, who serves them and their nodes")
                        .example("nodepool " + command + " --state not-served"),
                LISTING,
                Optional.empty(),
                (snapshot, now, context) -> rows(snapshot, context));
    }

    private static List<Row> rows(Snapshot snapshot, CommandContext context) {
        Set<String> names = new TreeSet<>();
        context.configuration()
                .ifPresent(configuration -> configuration.providers().forEach(entry -> names.add(entry.name())));
        snapshot.components().forEach(component -> component.pool().ifPresent(pool -> names.add(pool.provider())));
        snapshot.nodes().forEach(node -> node.place().provider().ifPresent(names::add));
        List<Row> rows = new ArrayList<>();
        names.forEach(name -> rows.add(Row.of(
                name, context.configuration().flatMap(configuration -> configuration.provider(name)), snapshot)));
        return rows;
    }
}
