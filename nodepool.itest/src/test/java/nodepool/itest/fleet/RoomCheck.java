package nodepool.itest.fleet;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** At no moment more machines exist than a pool or a tenant may have. */
final class RoomCheck {

    private final History history;
    private final List<String> faults = new ArrayList<>();

    private RoomCheck(History history) {
        this.history = history;
    }

    static List<String> faults(History history) {
        RoomCheck check = new RoomCheck(history);
        TreeSet<Instant> moments = new TreeSet<>();
        history.machines().forEach(machine -> moments.add(machine.made()));
        history.nodes()
                .values()
                .forEach(node -> node.versions()
                        .forEach(version -> moments.add(version.change().at())));
        moments.forEach(check::look);
        return check.faults;
    }

    private void look(Instant moment) {
        List<Machine> there = history.machines().stream()
                .filter(machine -> machine.existsAt(moment))
                .toList();
        history.limits()
                .maxServers()
                .forEach((provider, limit) -> count(
                        moment,
                        "provider " + provider,
                        there.stream()
                                .filter(machine -> machine.provider().equals(provider))
                                .toList(),
                        limit));
        for (Map.Entry<String, Integer> tenant : history.limits().tenants().entrySet()) {
            count(
                    moment,
                    "tenant " + tenant.getKey(),
                    there.stream()
                            .filter(machine -> tenant(machine, moment).equals(Optional.of(tenant.getKey())))
                            .toList(),
                    tenant.getValue());
        }
    }

    private void count(Instant moment, String where, List<Machine> machines, int limit) {
        if (machines.size() > limit) {
            faults.add("%s: %s: %d machines, at most %d allowed: %s%n%s%nkills: %s"
                    .formatted(
                            moment,
                            where,
                            machines.size(),
                            limit,
                            machines.stream().map(Machine::node).toList(),
                            machines.stream().map(this::tell).collect(Collectors.joining("\n")),
                            history.kills().stream().map(Kill::at).toList()));
        }
    }

    /** How it came that the machine is there, for whoever has to find out why. */
    private String tell(Machine machine) {
        Story node = history.nodes().get(machine.node());
        return node == null ? machine.toString() : machine + "\n" + node.tell();
    }

    /**
     * Whose machine it is. The last word of that moment counts: what happened within one millisecond happened at once. A node
     * from stock is its tenant's when the request has it: until then a launcher may find that there was no room for it.
     */
    private Optional<String> tenant(Machine machine, Instant moment) {
        Story node = history.nodes().get(machine.node());
        Optional<Document> said = node == null ? Optional.empty() : node.at(moment);
        return said.filter(document -> !isOnlyPromised(node, document, moment))
                .flatMap(document -> document.text("tenant_name"));
    }

    private boolean isOnlyPromised(Story node, Document said, Instant moment) {
        Optional<String> request = said.text("allocated_to");
        boolean fromStock = node.versions().stream()
                .filter(version -> !version.change().at().isAfter(moment))
                .anyMatch(version -> !version.document().text("allocated_to").equals(request));
        return fromStock
                && said.is("ready")
                && request.map(history.requests()::get)
                        .flatMap(story -> story.at(moment))
                        .filter(document -> document.is("pending"))
                        .isPresent();
    }
}
