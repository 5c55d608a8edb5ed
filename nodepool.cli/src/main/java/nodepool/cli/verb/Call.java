package nodepool.cli.verb;

import java.io.PrintWriter;
import java.time.Instant;
import nodepool.cli.options.Arguments;

/**
 * One use of a command.
 *
 * @param arguments as typed
 * @param context what to work on
 * @param out for results
 * @param err for everything else
 */
public record Call(Arguments arguments, CommandContext context, PrintWriter out, PrintWriter err) {

    Instant now() {
        return context.clock().instant();
    }
}
