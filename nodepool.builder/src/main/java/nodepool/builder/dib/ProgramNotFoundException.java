package nodepool.builder.dib;

/** A configured command cannot be run. The message names the command and says why. */
public final class ProgramNotFoundException extends Exception {
    private static final long serialVersionUID = 1L;

    ProgramNotFoundException(String message) {
        super(message);
    }

    ProgramNotFoundException(String message, Throwable cause) {
        super(message, cause);
    }
}
