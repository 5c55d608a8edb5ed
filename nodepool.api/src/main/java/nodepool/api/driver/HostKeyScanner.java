package nodepool.api.driver;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionStage;
import org.osgi.annotation.versioning.ProviderType;

/** Waits until machines answer, and gathers their SSH host keys. Thread-safe; nothing blocks. */
@ProviderType
public interface HostKeyScanner {

    /**
     * Tries to reach a machine until it answers or the time is up.
     *
     * @return the keys, {@code "type base64"} each, sorted; empty if {@code target} does not ask for keys. Fails with
     *     {@link CloudException} {@link CloudException.Fault#KEY_SCAN}
     */
    CompletionStage<List<String>> scan(Target target);

    /**
     * @param address name or address
     * @param port to connect to
     * @param gatherKeys whether to speak SSH and gather keys; otherwise an accepted connection is enough
     * @param within for everything together, waiting in a queue included
     */
    record Target(String address, int port, boolean gatherKeys, Duration within) {}
}
