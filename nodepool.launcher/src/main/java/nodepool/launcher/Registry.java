package nodepool.launcher;

import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import nodepool.api.registry.Registration;
import nodepool.api.store.Snapshot;

/** Which pools are running anywhere, as a snapshot shows them. */
final class Registry {

    private Registry() {}

    static List<Registration.Pool> pools(Snapshot snapshot) {
        return snapshot.components().stream()
                .flatMap(component -> component.pool().stream())
                .toList();
    }

    static Set<String> poolIds(Snapshot snapshot) {
        return snapshot.components().stream()
                .flatMap(component -> component.pool().stream())
                .map(Registration.Pool::id)
                .collect(Collectors.toSet());
    }
}
