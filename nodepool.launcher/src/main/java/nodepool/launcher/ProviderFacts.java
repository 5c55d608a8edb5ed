package nodepool.launcher;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;
import nodepool.api.quota.QuotaInformation;
import nodepool.api.verdict.Reason;

/**
 * What was last asked of a provider, so that decisions need not wait for it.
 *
 * @param limits the place's own limits less what others use there
 * @param needs what one machine of a label uses, by {@link #key}
 * @param broken labels that can never be launched as configured, by {@link #key}
 * @param unready labels whose cloud image is missing, by {@link #key}
 */
record ProviderFacts(
        QuotaInformation limits,
        Map<String, QuotaInformation> needs,
        Map<String, Reason> broken,
        Map<String, Reason> unready) {

    /** What is assumed until the first answer. */
    static final ProviderFacts UNKNOWN = new ProviderFacts(QuotaInformation.UNLIMITED, Map.of(), Map.of(), Map.of());

    private static final QuotaInformation ONE_INSTANCE = QuotaInformation.needs(0, 1, 0);

    ProviderFacts {
        needs = Map.copyOf(needs);
        broken = Map.copyOf(broken);
        unready = Map.copyOf(unready);
    }

    static String key(String pool, String label) {
        return pool + "/" + label;
    }

    /** What one machine of that label uses; one instance if the provider has not said. */
    QuotaInformation need(String pool, String label) {
        return needs.getOrDefault(key(pool, label), ONE_INSTANCE);
    }

    /** With other words for the reasons. */
    ProviderFacts map(UnaryOperator<Reason> words) {
        return new ProviderFacts(limits, needs, changed(broken, words), changed(unready, words));
    }

    private static Map<String, Reason> changed(Map<String, Reason> reasons, UnaryOperator<Reason> words) {
        Map<String, Reason> changed = new HashMap<>();
        reasons.forEach((key, reason) -> changed.put(key, words.apply(reason)));
        return changed;
    }

    Optional<Reason> broken(String pool, String label) {
        return Optional.ofNullable(broken.get(key(pool, label)));
    }

    Optional<Reason> unready(String pool, String label) {
        return Optional.ofNullable(unready.get(key(pool, label)));
    }
}
