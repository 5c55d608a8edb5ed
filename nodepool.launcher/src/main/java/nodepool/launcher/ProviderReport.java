package nodepool.launcher;

import java.util.Optional;
import nodepool.api.driver.PoolConfig;
import nodepool.api.registry.ProviderStatus;
import nodepool.api.store.Snapshot;

/** What is told of a provider to whoever asks. */
final class ProviderReport {

    private ProviderReport() {}

    /** As it is now; without a snapshot its use is the one last known. */
    static ProviderStatus.Provider of(ProviderSlot slot, Optional<Snapshot> snapshot) {
        snapshot.ifPresent(slot::refresh);
        return new ProviderStatus.Provider(
                slot.name(),
                slot.config().driver(),
                slot.current().isPresent(),
                slot.trouble(),
                slot.facts().limits(),
                slot.config().pools().stream().map(pool -> pool(slot, pool)).toList());
    }

    private static ProviderStatus.Pool pool(ProviderSlot slot, PoolConfig pool) {
        return new ProviderStatus.Pool(
                pool.name(),
                pool.labelNames(),
                pool.limits(),
                slot.ledger().used(pool),
                slot.ledger().room(pool, slot.facts().limits()));
    }
}
