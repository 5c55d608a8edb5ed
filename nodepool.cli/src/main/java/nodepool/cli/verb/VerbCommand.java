package nodepool.cli.verb;

import java.io.PrintWriter;
import java.util.List;
import nodepool.api.command.Command;
import nodepool.cli.options.Mistake;
import nodepool.cli.options.Option;
import nodepool.cli.options.Syntax;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A verb as a command of the shell, and what is common to all of them: help, complaints, exit codes. */
public final class VerbCommand implements Command {

    private final Verb verb;
    private final CommandContext context;

    public VerbCommand(Verb verb, CommandContext context) {
        this.verb = verb;
        this.context = context;
    }

    @Override
    public String name() {
        return verb.name();
    }

    @Override
    public String summary() {
        return verb.syntax().summary();
    }

    @Override
    public int run(List<String> words, PrintWriter out, PrintWriter err) {
        try {
            return run(verb, verb.syntax(), new Call(verb.syntax().parse(words), context, out, err));
        } catch (Mistake mistake) {
            return complain(verb.syntax(), mistake, err);
        }
    }

    /** Runs a verb with arguments that were read already. */
    public static int run(Verb verb, Syntax syntax, Call call) {
        try {
            if (call.arguments().has(Option.HELP.name())) {
                call.out().print(syntax.help());
                return 0;
            }
            return verb.run(call);
        } catch (Mistake mistake) {
            return complain(verb.syntax(), mistake, call.err());
        } catch (CommandException e) {
            (e.isAnswer() ? call.out() : call.err()).println(e.getMessage());
            return e.exitCode();
        } catch (RuntimeException e) {
            log().debug("{} failed", syntax.program(), e);
            call.err().println(syntax.program() + ": " + e + " (more with --debug)");
            return 1;
        } finally {
            call.out().flush();
            call.err().flush();
        }
    }

    /** Says what is wrong with a command line. */
    public static int complain(Syntax syntax, Mistake mistake, PrintWriter err) {
        err.println(syntax.complaint(mistake));
        err.flush();
        return 2;
    }

    /** Late, because most calls need no log, and setting one up takes longer than they do. */
    private static Logger log() {
        return LoggerFactory.getLogger(VerbCommand.class);
    }
}
