package nodepool.api.store;

/**
 * The session in which a lock was taken is gone, or the store was closed: nothing was written, and all locks, registrations
 * and own ephemeral requests are lost. Whoever gets it drops what it was doing; the next snapshot tells what is left.
 */
public final class SessionLostException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public SessionLostException(String message) {
        super(message);
    }
}
