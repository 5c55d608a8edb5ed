package nodepool.cli.verb;

/** A command cannot do what it was asked to. The message is for the operator. */
public final class CommandException extends Exception {
    private static final long serialVersionUID = 1L;

    private final int exitCode;
    private final boolean answer;

    private CommandException(int exitCode, boolean answer, String message) {
        super(message);
        this.exitCode = exitCode;
        this.answer = answer;
    }

    /** What was asked for is not there, or not in a state for it: an answer, printed where results are. */
    public static CommandException no(String message) {
        return new CommandException(1, true, message);
    }

    /** It went wrong. */
    public static CommandException failed(String message) {
        return new CommandException(1, false, message);
    }

    /** ZooKeeper is out of reach. */
    public static CommandException unreachable(String message) {
        return new CommandException(3, false, message);
    }

    public int exitCode() {
        return exitCode;
    }

    /** Whether the message belongs where results are printed. */
    public boolean isAnswer() {
        return answer;
    }
}
