package nodepool.metrics.source;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** The providers that this process serves, as far as their pools have shown themselves. Thread-safe. */
public final class OwnPools {

    private final Set<String> providers = ConcurrentHashMap.newKeySet();

    void seen(String provider) {
        providers.add(provider);
    }

    /** Whether a launcher runs in this process. */
    boolean any() {
        return !providers.isEmpty();
    }

    boolean serves(String provider) {
        return providers.contains(provider);
    }
}
