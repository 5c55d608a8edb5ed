package nodepool.api.store;

import org.osgi.annotation.versioning.ProviderType;

/**
 * A lock of the wire contract that this process holds. It is bound to the session in which it was taken, not to a thread:
 * when the session is lost so is the lock, and every later write under it is refused. Thread-safe.
 */
@ProviderType
public interface HeldLock {

    /** Id of the record the lock guards. */
    String id();

    /** Whether it was neither released nor lost with its session. A hint; writes check for themselves. */
    boolean isHeld();
}
