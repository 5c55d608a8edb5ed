package nodepool.api.driver;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionStage;
import org.osgi.annotation.versioning.ProviderType;

/** Waits until machines answer, and gathers their SSH host keys. Thread-safe; nothing blocks. */
@ProviderType
public interface HostKeyScanner {

    /**
     * Tries to reach a machine until it answers or the time is up. To cancel the returned stage's future ends the scan.
     *
     * @return the keys, {@code "type base64"} each, without duplicates, in order of preference: ed25519, ecdsa with 256, 384
     *     and 521 bits, rsa, dss; empty if {@code target} does not ask for keys. Fails with {@link CloudException}
     *     {@link CloudException.Fault#KEY_SCAN}. Completes on a thread that all scans share: what follows must not block it
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
