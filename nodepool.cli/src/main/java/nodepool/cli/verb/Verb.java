package nodepool.cli.verb;

import nodepool.cli.options.Mistake;
import nodepool.cli.options.Syntax;

/** What one command does. Holds nothing of a single call; thread-safe. */
public interface Verb {

    /** What it understands. */
    Syntax syntax();

    /**
     * Runs once. May block.
     *
     * @return the exit code
     */
    int run(Call call) throws CommandException, Mistake;

    /** The word typed. */
    default String name() {
        return syntax().program().substring("nodepool ".length());
    }

    /** A syntax to start from. */
    static Syntax named(String name, String summary) {
        return Syntax.of("nodepool " + name, summary);
    }
}
