package nodepool.launcher;

import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import nodepool.api.driver.ProviderConfig;
import nodepool.api.store.Snapshot;
import nodepool.api.verdict.Reason;

/**
 * What is under one provider name: the generation in service, if there is one, and what outlives generations. Written by
 * the launcher's loop, read by all.
 */
final class ProviderSlot {

    private final QuotaLedger ledger;
    private final Probes probes = new Probes();
    private final AtomicInteger launching = new AtomicInteger();
    private final Runnable doubts;
    private volatile ProviderConfig config;
    private volatile Optional<RunningProvider> current = Optional.empty();
    private volatile Optional<Reason> trouble;
    private volatile boolean removed;
    private volatile ProviderFacts facts = ProviderFacts.UNKNOWN;

    /** @param doubts called when what is known of the provider seems to be wrong */
    ProviderSlot(ProviderConfig config, Runnable doubts) {
        this.config = config;
        this.doubts = doubts;
        this.ledger = new QuotaLedger(config.name());
        this.trouble =
                Optional.of(Reason.of(Reason.Code.PROVIDER_STARTING, "provider " + config.name() + " is starting"));
    }

    String name() {
        return config.name();
    }

    ProviderConfig config() {
        return config;
    }

    QuotaLedger ledger() {
        return ledger;
    }

    Probes probes() {
        return probes;
    }

    /** Launches under way in all pools of this process. */
    AtomicInteger launching() {
        return launching;
    }

    /** The generation in service. */
    Optional<RunningProvider> current() {
        return current;
    }

    /** Why nothing new should be launched right now: there is no provider, or its cloud does not answer. */
    Optional<Reason> trouble() {
        return trouble.or(() -> current.flatMap(RunningProvider::trouble));
    }

    ProviderFacts facts() {
        return facts;
    }

    void configured(ProviderConfig changed) {
        config = changed;
    }

    void inService(RunningProvider generation, ProviderFacts known) {
        facts = known;
        current = Optional.of(generation);
        trouble = Optional.empty();
    }

    void learned(ProviderFacts known) {
        facts = known;
        ledger.tryAgain();
    }

    /** The cloud refused a machine though there seemed to be room. */
    void refusedForQuota() {
        ledger.refused();
        probes.refused();
        doubts.run();
    }

    void outOfService(Reason why) {
        trouble = Optional.of(why);
        current = Optional.empty();
    }

    /** It is no longer configured: whatever is under way for it ends as it is. */
    void remove() {
        removed = true;
        Optional<RunningProvider> last = current;
        outOfService(Reason.of(Reason.Code.POOL_STOPPING, "provider " + name() + " is no longer configured"));
        last.ifPresent(RunningProvider::retire);
    }

    boolean isRemoved() {
        return removed;
    }

    /** Brings the ledger up to date. */
    void refresh(Snapshot snapshot) {
        ProviderFacts known = facts;
        ledger.refresh(snapshot, known::need);
    }
}
