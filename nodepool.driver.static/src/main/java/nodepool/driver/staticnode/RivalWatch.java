package nodepool.driver.staticnode;

import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import nodepool.api.registry.Registration;
import nodepool.api.store.Snapshot;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Notices that another launcher serves the same pools: both would register the same hosts. A registration that is left
 * over from a restart goes away by itself, so only what two looks in a row have seen counts.
 */
final class RivalWatch {

    private static final Logger log = LoggerFactory.getLogger("nodepool.driver.static");

    private final StaticConfig config;
    private final Set<String> told = new HashSet<>();
    private Map<String, Set<String>> before = Map.of();

    RivalWatch(StaticConfig config) {
        this.config = config;
    }

    /** Looks at who is registered; says each pool's trouble once. */
    synchronized void look(Snapshot snapshot) {
        Map<String, Set<String>> now = snapshot.components().stream()
                .flatMap(component -> component.pool().stream())
                .filter(pool -> pool.provider().equals(config.name()))
                .filter(pool -> pool.name().flatMap(config::pool).isPresent())
                .collect(Collectors.groupingBy(
                        pool -> pool.name().orElse(""), Collectors.mapping(Registration.Pool::id, Collectors.toSet())));
        now.forEach((pool, launchers) -> {
            Set<String> both = new HashSet<>(launchers);
            both.retainAll(before.getOrDefault(pool, Set.of()));
            if (both.size() > 1 && told.add(pool)) {
                log.error(
                        "Pool {} of static provider {} is served by several launchers, which register every host more than"
                                + " once; configure it in one only: {}",
                        pool,
                        config.name(),
                        both);
            }
        });
        before = now;
    }
}
