package nodepool.api.driver;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.osgi.annotation.versioning.ConsumerType;

/**
 * One entry under {@code providers} as its driver read it. An immutable value: two are equal when nothing in them differs,
 * and then the running provider is kept.
 */
@ConsumerType
public interface ProviderConfig {

    /** Unique in the configuration. */
    String name();

    /** Name of the driver. */
    String driver();

    /** Launches under way at the same time; 0 or negative: no limit. */
    int maxConcurrency();

    /** In the order of the file. */
    List<? extends PoolConfig> pools();

    /** Attempts to launch a node before it counts as failed; at least 1. */
    default int launchRetries() {
        return 3;
    }

    /** For one attempt, from its first step until the machine can be used. */
    default Duration launchTimeout() {
        return Duration.ofHours(1);
    }

    /** For the key scan of a machine, from when it is there. */
    default Duration bootTimeout() {
        return Duration.ofSeconds(60);
    }

    /** Whether images are built and uploaded for it. */
    default boolean manageImages() {
        return wantedImages().isPresent();
    }

    /** Which images are built and uploaded for it; absent: this driver does not manage images. */
    default Optional<WantedImages> wantedImages() {
        return Optional.empty();
    }

    /**
     * The same with every pool's and its own capacity and priority left open: two entries that then are equal differ only in
     * what the launcher looks at, and the running provider is kept. A driver that does not say so gets a new provider.
     */
    default ProviderConfig withoutCapacity() {
        return this;
    }

    /** The pool of that name. */
    default Optional<PoolConfig> pool(String name) {
        for (PoolConfig pool : pools()) {
            if (pool.name().equals(name)) {
                return Optional.of(pool);
            }
        }
        return Optional.empty();
    }
}
