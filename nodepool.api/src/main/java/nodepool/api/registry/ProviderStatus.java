package nodepool.api.registry;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import nodepool.api.quota.QuotaInformation;
import nodepool.api.verdict.Reason;
import org.osgi.annotation.versioning.ProviderType;

/** How the providers of this process are, offered as a service by whoever runs them. Thread-safe; nothing here blocks. */
@ProviderType
public interface ProviderStatus {

    /** The configured providers whose drivers are or were here, by name. */
    List<Provider> providers();

    /**
     * One provider.
     *
     * @param name in the configuration
     * @param driver name of its driver
     * @param inService whether a generation of it has started
     * @param trouble why nothing new is launched right now
     * @param limits what its place allows, less what others use there
     * @param pools in the order of the configuration
     */
    record Provider(
            String name,
            String driver,
            boolean inService,
            Optional<Reason> trouble,
            QuotaInformation limits,
            List<Pool> pools) {
        public Provider {
            pools = List.copyOf(pools);
        }
    }

    /**
     * One pool.
     *
     * @param name unique in its provider
     * @param labels it serves
     * @param limits configured for it
     * @param used by its nodes, those about to be recorded included
     * @param room what one more node may use, the provider's limits looked at too
     */
    record Pool(
            String name, Set<String> labels, QuotaInformation limits, QuotaInformation used, QuotaInformation room) {
        public Pool {
            labels = Set.copyOf(labels);
        }
    }
}
