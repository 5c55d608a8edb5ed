package nodepool.api.command;

import java.io.PrintWriter;
import java.util.List;
import org.osgi.annotation.versioning.ConsumerType;

/**
 * One command, served in the terminal as {@code nodepool NAME} and in the Gogo shell as {@code nodepool:NAME}. Any bundle
 * may add commands by registering services with the property {@link #NAME}. Must be thread-safe; may block.
 */
@ConsumerType
public interface Command {

    /** Service property holding {@link #name()}. */
    String NAME = "nodepool.command";

    /** The word typed. */
    String name();

    /** One line for the list of commands. */
    String summary();

    /**
     * Runs once.
     *
     * @param arguments what follows the command's name
     * @param out for results
     * @param err for everything else
     * @return the exit code: 0 done, 1 failed, 2 wrong usage, 3 ZooKeeper out of reach
     */
    int run(List<String> arguments, PrintWriter out, PrintWriter err);
}
