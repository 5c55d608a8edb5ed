package nodepool.launcher;

import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import nodepool.api.config.Configuration;
import nodepool.api.driver.PoolConfig;
import nodepool.api.quota.QuotaInformation;
import nodepool.api.registry.Registration;
import nodepool.api.store.Snapshot;
import nodepool.api.verdict.Reason;

/**
 * Gathers what pools decide on. Thread-safe: called on the pools' loops.
 *
 * @param configuration the current one
 * @param tenants what tenants use
 */
record PoolViews(Supplier<Optional<Configuration>> configuration, TenantLedger tenants)
        implements PoolWorker.Surroundings {

    @Override
    public PoolView view(PoolWorker worker, Snapshot snapshot, PoolConfig pool) {
        ProviderSlot slot = worker.slot();
        boolean launches = slot.current()
                .map(generation -> generation.provider().launches())
                .orElse(true);
        return new PoolView(
                worker.launcherId(),
                slot.name(),
                pool,
                slot.facts(),
                withoutUpload(snapshot, slot.name(), pool),
                byOperator(slot.name(), snapshot).or(slot::trouble),
                launches,
                // Whether the pool itself is paused changes no answer of its own.
                Registry.pools(snapshot).stream()
                        .map(other -> other.id().equals(worker.launcherId()) ? unpaused(other) : other)
                        .toList(),
                tenants.room(),
                minReady());
    }

    private static Optional<Reason> byOperator(String provider, Snapshot snapshot) {
        return snapshot.mark(provider)
                .map(mark -> Reason.of(
                        Reason.Code.PROVIDER_PAUSED,
                        "provider %s %s by operator"
                                .formatted(provider, mark.name().toLowerCase(Locale.ROOT))));
    }

    @Override
    public Map<String, QuotaInformation> tenantLimits() {
        return configuration.get().map(Configuration::tenantLimits).orElse(Map.of());
    }

    /** How many nodes of that label the pools of those providers have room for; 0 if they cannot launch it now. */
    static int room(String label, Collection<ProviderSlot> slots, Snapshot snapshot) {
        long room = 0;
        for (ProviderSlot slot : slots) {
            boolean launches = snapshot.mark(slot.name()).isEmpty()
                    && slot.current()
                            .filter(generation -> generation.provider().launches())
                            .isPresent();
            for (PoolConfig pool : launches ? slot.config().pools() : List.<PoolConfig>of()) {
                if (canLaunch(slot, pool, label, snapshot)) {
                    slot.refresh(snapshot);
                    ProviderFacts facts = slot.facts();
                    room += slot.ledger().fits(pool, facts.limits(), facts.need(pool.name(), label));
                }
            }
        }
        return (int) Math.min(room, Integer.MAX_VALUE);
    }

    private static boolean canLaunch(ProviderSlot slot, PoolConfig pool, String label, Snapshot snapshot) {
        return pool.label(label).isPresent()
                && slot.facts().broken(pool.name(), label).isEmpty()
                && slot.facts().unready(pool.name(), label).isEmpty()
                && !withoutUpload(snapshot, slot.name(), pool).containsKey(label);
    }

    private Map<String, Integer> minReady() {
        Map<String, Integer> wanted = new HashMap<>();
        configuration.get().map(Configuration::labels).orElse(Map.of()).forEach((name, label) -> {
            if (label.minReady() > 0) {
                wanted.put(name, label.minReady());
            }
        });
        return wanted;
    }

    private static Registration.Pool unpaused(Registration.Pool pool) {
        return new Registration.Pool(
                pool.id(), pool.name(), pool.provider(), pool.supportedLabels(), pool.priority(), false);
    }

    /** Labels whose managed image has no ready upload. */
    static Map<String, Reason> withoutUpload(Snapshot snapshot, String provider, PoolConfig pool) {
        Map<String, Reason> unready = new HashMap<>();
        pool.labels()
                .forEach(label -> label.diskImage()
                        .filter(image -> snapshot.currentUpload(image, provider).isEmpty())
                        .ifPresent(image -> unready.put(
                                label.name(),
                                Reason.of(
                                        Reason.Code.IMAGE_MISSING,
                                        "no ready upload of image %s to provider %s".formatted(image, provider)))));
        return unready;
    }
}
