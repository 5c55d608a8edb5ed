package nodepool.deploy;

/** A bundle may not be installed. The message says why, for an operator. */
final class RefusedException extends Exception {
    private static final long serialVersionUID = 1L;

    RefusedException(String why) {
        super(why);
    }
}
