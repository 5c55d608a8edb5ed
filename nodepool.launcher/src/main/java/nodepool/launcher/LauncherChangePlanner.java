package nodepool.launcher;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import nodepool.api.config.Label;
import nodepool.api.config.ProviderEntry;
import nodepool.api.driver.ProviderConfig;
import nodepool.api.node.Node;
import nodepool.api.plan.ChangePlanner;
import nodepool.api.plan.PlannedChange;
import nodepool.api.plan.PlannedChange.Kind;
import nodepool.api.plan.PlannedChange.What;
import nodepool.api.request.NodeRequest;
import nodepool.api.request.RequestState;
import org.osgi.service.component.annotations.Component;

/**
 * What launchers would do: with {@link ProviderChange}, {@link SpareCount}, {@link NodeAges} and {@link Placement}, as when
 * they run. No cloud is asked, so quotas and images of clouds play no part.
 */
@Component(service = ChangePlanner.class)
public final class LauncherChangePlanner implements ChangePlanner {

    @Override
    public List<PlannedChange> plan(Situation situation) {
        List<PlannedChange> changes = new ArrayList<>();
        gone(situation, changes);
        situation.wanted().providers().forEach(entry -> provider(entry, situation, changes));
        labels(situation, changes);
        nodes(situation, changes);
        requests(situation, changes);
        return changes;
    }

    private static void gone(Situation situation, List<PlannedChange> changes) {
        for (ProviderEntry entry : situation.running().providers()) {
            if (situation.wanted().provider(entry.name()).isEmpty()) {
                int nodes = situation.snapshot().nodesOf(entry.name()).size();
                String detail =
                        "no longer configured" + (nodes > 0 ? "; " + counted(nodes, "node") + " of it left" : "");
                changes.add(new PlannedChange(What.STOP, Kind.PROVIDER, entry.name(), detail));
            }
        }
    }

    private static void provider(ProviderEntry entry, Situation situation, List<PlannedChange> changes) {
        String name = entry.name();
        Optional<ProviderEntry> before = situation.running().provider(name);
        Optional<ProviderConfig> running = before.flatMap(ProviderEntry::config);
        Optional<ProviderConfig> wanted = entry.config();
        if (wanted.isEmpty()) {
            changes.add(new PlannedChange(
                    What.STOP,
                    Kind.PROVIDER,
                    name,
                    "its driver " + entry.driver() + " cannot read it, or is not here"));
        } else if (running.isEmpty()) {
            changes.add(new PlannedChange(What.START, Kind.PROVIDER, name, "driver " + entry.driver()));
        } else if (!before.get().driver().equals(entry.driver())) {
            changes.add(new PlannedChange(What.RESTART, Kind.PROVIDER, name, "driver " + entry.driver()));
        } else {
            switch (ProviderChange.of(running.get(), wanted.get())) {
                case NONE -> {}
                case APPLY ->
                    changes.add(new PlannedChange(
                            What.APPLY, Kind.PROVIDER, name, "limits or priorities, without a restart"));
                case RESTART ->
                    changes.add(new PlannedChange(
                            What.RESTART, Kind.PROVIDER, name, "its entry has changed; machines go on as they are"));
            }
        }
    }

    /** More stock is made; what is too much stays until it is used. */
    private static void labels(Situation situation, List<PlannedChange> changes) {
        SpareCount count = SpareCount.of(situation.snapshot());
        for (Label label : situation.wanted().labels().values()) {
            int have = count.stock(label.name()) + count.requested(label.name());
            int before = Optional.ofNullable(situation.running().labels().get(label.name()))
                    .map(Label::minReady)
                    .orElse(0);
            int more = Math.max(0, label.minReady() - have) - Math.max(0, before - have);
            if (more > 0) {
                changes.add(new PlannedChange(
                        What.LAUNCH,
                        Kind.LABEL,
                        label.name(),
                        counted(more, "more ready node") + ", for a stock of " + label.minReady()));
            }
        }
    }

    private static void nodes(Situation situation, List<PlannedChange> changes) {
        NodeAges before = new NodeAges(situation.running(), situation.now());
        NodeAges after = new NodeAges(situation.wanted(), situation.now());
        for (Node node : situation.snapshot().nodes()) {
            boolean served = node.place()
                    .provider()
                    .flatMap(situation.wanted()::provider)
                    .isPresent();
            if (served && before.excess(node).isEmpty()) {
                after.excess(node)
                        .ifPresent(why -> changes.add(new PlannedChange(What.DELETE, Kind.NODE, node.id(), why)));
            }
        }
    }

    /** Requests that every pool would decline, and not every pool does now. */
    private static void requests(Situation situation, List<PlannedChange> changes) {
        List<PoolView> before = ConfiguredPools.of(situation.running(), situation.snapshot());
        List<PoolView> after = ConfiguredPools.of(situation.wanted(), situation.snapshot());
        for (NodeRequest request : situation.snapshot().requests()) {
            if (request.state() == RequestState.REQUESTED
                    && !allDecline(request, before)
                    && allDecline(request, after)) {
                changes.add(new PlannedChange(What.DECLINE, Kind.REQUEST, request.id(), reasons(request, after)));
            }
        }
    }

    private static boolean allDecline(NodeRequest request, List<PoolView> pools) {
        return pools.stream()
                .allMatch(pool -> Placement.mustDecline(request, pool).isPresent());
    }

    private static String reasons(NodeRequest request, List<PoolView> pools) {
        Map<String, Set<String>> byReason = pools.stream()
                .collect(Collectors.groupingBy(
                        pool -> Placement.mustDecline(request, pool)
                                .orElseThrow()
                                .detail(),
                        TreeMap::new,
                        Collectors.mapping(
                                pool -> pool.provider() + "-" + pool.pool().name(),
                                Collectors.toCollection(TreeSet::new))));
        return byReason.isEmpty()
                ? "there are no pools"
                : byReason.entrySet().stream()
                        .map(reason -> String.join(", ", reason.getValue()) + ": " + reason.getKey())
                        .collect(Collectors.joining("; "));
    }

    private static String counted(int number, String thing) {
        return number + " " + thing + (number == 1 ? "" : "s");
    }
}
