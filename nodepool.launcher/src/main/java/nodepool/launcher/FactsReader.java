package nodepool.launcher;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import nodepool.api.driver.CloudException;
import nodepool.api.driver.Instance;
import nodepool.api.driver.Launch;
import nodepool.api.driver.PoolConfig;
import nodepool.api.driver.Provider;
import nodepool.api.driver.ProviderConfig;
import nodepool.api.quota.QuotaInformation;
import nodepool.api.store.Snapshot;
import nodepool.api.verdict.Reason;

/** Asks a provider for its {@link ProviderFacts}. Blocks: runs on the provider's executor. */
final class FactsReader {

    private FactsReader() {}

    /** Asks for everything once. */
    static ProviderFacts read(ProviderConfig config, Provider provider, Optional<Snapshot> snapshot)
            throws CloudException {
        Map<String, QuotaInformation> needs = new HashMap<>();
        Map<String, Reason> broken = new HashMap<>();
        Map<String, Reason> unready = new HashMap<>();
        for (PoolConfig pool : config.pools()) {
            for (String label : pool.labelNames()) {
                String key = ProviderFacts.key(pool.name(), label);
                try {
                    needs.put(key, provider.getQuotaForLabel(pool, label));
                } catch (CloudException e) {
                    if (e.fault() != CloudException.Fault.BAD_REQUEST) {
                        throw e;
                    }
                    broken.put(key, Reason.of(Reason.Code.LABEL_BROKEN, label + ": " + e.getMessage()));
                }
                boolean cloudImage = pool.label(label)
                        .filter(known -> known.diskImage().isEmpty())
                        .isPresent();
                if (cloudImage && !provider.labelReady(pool, label)) {
                    unready.put(key, Reason.of(Reason.Code.IMAGE_MISSING, "the cloud has no image for label " + label));
                }
            }
        }
        return new ProviderFacts(limits(config, provider, snapshot), needs, broken, unready);
    }

    /** The place's limits less what is used by machines that no node of this provider stands for. */
    private static QuotaInformation limits(ProviderConfig config, Provider provider, Optional<Snapshot> snapshot)
            throws CloudException {
        QuotaInformation limits = provider.getQuotaLimits();
        if (limits.amounts().isEmpty() || snapshot.isEmpty()) {
            return limits;
        }
        for (Instance instance : provider.listNodes()) {
            if (instance.status() != Instance.Status.DELETED && !isOurs(instance, config, snapshot.get())) {
                limits = limits.minus(instance.quota().orElse(QuotaInformation.NOTHING));
            }
        }
        return limits;
    }

    private static boolean isOurs(Instance instance, ProviderConfig config, Snapshot snapshot) {
        return config.name().equals(instance.metadata().get(Launch.PROVIDER_NAME))
                && Optional.ofNullable(instance.metadata().get(Launch.NODE_ID))
                        .flatMap(snapshot::node)
                        .isPresent();
    }
}
