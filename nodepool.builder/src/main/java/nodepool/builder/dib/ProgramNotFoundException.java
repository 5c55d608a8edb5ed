package nodepool.builder.dib;

/** A configured command cannot be run. */
public final class ProgramNotFoundException extends Exception {
    private static final long serialVersionUID = 1L;

    private final String reason;

    ProgramNotFoundException(String reason) {
        super(reason);
        this.reason = reason;
    }

    ProgramNotFoundException(String reason, Throwable cause) {
        super(reason, cause);
        this.reason = reason;
    }

    /** Names the command and says why. */
    public String reason() {
        return reason;
    }
}
