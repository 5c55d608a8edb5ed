package nodepool.webapp.lists;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import nodepool.api.config.Configuration;
import nodepool.api.config.ProviderEntry;
import nodepool.api.registry.ProviderStatus;
import nodepool.api.store.Stores;
import nodepool.webapp.rest.Facts;

/** Whether this process does all its work: configuration, ZooKeeper and every provider are there. */
public final class Readiness {

    private final Facts facts;

    public Readiness(Facts facts) {
        this.facts = facts;
    }

    /** What is missing, in words for an operator; nothing if all is well. */
    public List<String> missing() {
        Optional<Configuration> config = facts.configuration().current();
        if (config.isEmpty()) {
            return List.of("no configuration could be used yet");
        }
        List<String> missing = new ArrayList<>();
        if (facts.state()
                .stores()
                .flatMap(stores -> stores.snapshots().current())
                .isEmpty()) {
            missing.add("ZooKeeper: "
                    + facts.state()
                            .stores()
                            .map(Stores::snapshots)
                            .map(snapshots -> snapshots.status().detail())
                            .orElse("not configured"));
        }
        Map<String, ProviderStatus.Provider> known = facts.providers().get().stream()
                .collect(Collectors.toMap(ProviderStatus.Provider::name, Function.identity()));
        config.get()
                .providers()
                .forEach(entry -> problem(entry, Optional.ofNullable(known.get(entry.name())))
                        .ifPresent(missing::add));
        facts.health().get().stream()
                .filter(part -> !part.status().isReady())
                .forEach(part -> missing.add(part.part() + ": " + part.text()));
        return missing;
    }

    private static Optional<String> problem(ProviderEntry entry, Optional<ProviderStatus.Provider> provider) {
        if (provider.isEmpty()) {
            String why = entry.config().isEmpty() ? "driver " + entry.driver() + " is absent" : "not started yet";
            return Optional.of("provider " + entry.name() + ": " + why);
        }
        if (provider.get().inService()) {
            return Optional.empty();
        }
        return Optional.of("provider " + entry.name() + ": "
                + provider.get().trouble().map(why -> why.detail()).orElse("not started yet"));
    }
}
