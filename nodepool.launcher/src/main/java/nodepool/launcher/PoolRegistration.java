package nodepool.launcher;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import nodepool.api.driver.PoolConfig;
import nodepool.api.registry.ComponentRegistry;
import nodepool.api.registry.Registration;
import nodepool.api.store.Snapshot;

/** A pool's entry in the registry, through which launchers know of each other. Confined to the pool's loop. */
final class PoolRegistration {

    private final PoolMeans means;
    private final String hostname;
    private Optional<ComponentRegistry.Own> own = Optional.empty();
    private boolean registering;
    private boolean withdrawn;

    PoolRegistration(PoolMeans means, String hostname) {
        this.means = means;
        this.hostname = hostname;
    }

    /** Says what the pool offers, if that has changed. */
    void publish(PoolConfig pool, boolean paused) {
        if (withdrawn) {
            return;
        }
        Registration facts = new Registration(
                hostname,
                Registration.Kind.POOL,
                0,
                "running",
                Optional.empty(),
                Optional.of(new Registration.Pool(
                        means.launcherId(),
                        Optional.of(means.poolName()),
                        means.slot().name(),
                        List.copyOf(pool.labelNames()),
                        pool.priority(),
                        paused)));
        if (own.isPresent()) {
            own.get().publish(facts);
        } else if (!registering) {
            register(facts);
        }
    }

    private void register(Registration facts) {
        registering = true;
        means.loop().after(means.stores().components().register(facts), (entry, failure) -> {
            registering = false;
            own = Optional.ofNullable(entry);
            if (withdrawn) {
                own.ifPresent(ComponentRegistry.Own::close);
            } else {
                means.loop().wake();
            }
        });
    }

    /** Our own entry being there is the sign that the others' entries are current. */
    boolean isShownIn(Snapshot snapshot) {
        return snapshot.components().stream()
                .flatMap(component -> component.pool().stream())
                .anyMatch(pool -> pool.id().equals(means.launcherId()));
    }

    /** Takes the entry back for good. */
    CompletionStage<Void> withdraw() {
        withdrawn = true;
        return own.map(ComponentRegistry.Own::close).orElseGet(() -> CompletableFuture.completedFuture(null));
    }
}
