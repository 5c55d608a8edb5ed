package nodepool.cli;

/** A command cannot do what it was asked to. The message is for the operator. */
final class CommandException extends Exception {
    private static final long serialVersionUID = 1L;

    private final int exitCode;

    CommandException(int exitCode, String message) {
        super(message);
        this.exitCode = exitCode;
    }

    int exitCode() {
        return exitCode;
    }
}
