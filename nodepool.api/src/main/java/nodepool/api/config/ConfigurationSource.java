package nodepool.api.config;

import java.util.List;
import java.util.Optional;
import nodepool.api.store.SnapshotSource.Subscription;
import org.osgi.annotation.versioning.ProviderType;

/** Always the configuration in force. Thread-safe; nothing here blocks. */
@ProviderType
public interface ConfigurationSource {

    /** The configuration in force: the newest one that could be used. Absent until there was one. */
    Optional<Configuration> current();

    /** What is wrong with the file as it stands now; the configuration in force may be an older one. */
    List<Problem> problems();

    /** Calls {@code wake} after every change of {@link #current()} or {@link #problems()}; it must return at once. */
    Subscription onChange(Runnable wake);
}
