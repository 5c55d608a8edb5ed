package nodepool.api.driver;

import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import nodepool.api.json.JsonValue;
import nodepool.api.quota.QuotaInformation;
import org.osgi.annotation.versioning.ConsumerType;

/** One pool of a provider. An immutable value. */
@ConsumerType
public interface PoolConfig {

    /** Unique within the provider. */
    String name();

    /** Nodes at the same time; absent: no limit; 0 or negative: the pool takes nothing. */
    OptionalInt maxServers();

    /** Lower is preferred; 100 if neither the pool nor the provider says. */
    int priority();

    /** Limits of this pool, {@code maxServers} as {@code instances} among them. */
    QuotaInformation limits();

    /** Whether the provider's own quota is not looked at. */
    default boolean ignoreProviderQuota() {
        return false;
    }

    /** A JSON object stored with each node, or null. */
    JsonValue nodeAttributes();

    /** Names of the labels it serves. */
    Set<String> labelNames();

    /** What it takes to launch that label here; empty for pools that launch nothing. */
    List<? extends LabelConfig> labels();

    /** What it takes to launch that label here. */
    default Optional<LabelConfig> label(String name) {
        for (LabelConfig label : labels()) {
            if (label.name().equals(name)) {
                return Optional.of(label);
            }
        }
        return Optional.empty();
    }
}
