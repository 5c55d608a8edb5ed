package nodepool.cli;

import nodepool.cli.options.Syntax;
import nodepool.cli.verb.Verb;
import nodepool.cli.verb.Verbs;

/** What {@code nodepool --help} prints. */
final class ProgramHelp {

    private ProgramHelp() {}

    static String usage() {
        return GeneralOptions.syntax().usage() + "\n                COMMAND ...";
    }

    static String text() {
        Syntax program = GeneralOptions.syntax();
        StringBuilder text = new StringBuilder(program.help().replace(program.usage(), usage()));
        text.append("\ncommands (nodepool COMMAND --help tells more):\n");
        for (Verb verb : Verbs.all()) {
            command(text, verb.name(), verb.syntax().summary());
        }
        command(text, "quickstart", "run a whole system in this process, to try it out");
        command(text, "new-driver", "make the project of a driver of your own");
        text.append("\nexit codes: 0 done, 1 failed or not found, 2 wrong usage, 3 ZooKeeper out of reach\n");
        return text.toString();
    }

    private static void command(StringBuilder text, String name, String summary) {
        text.append("  ")
                .append(name)
                .append(" ".repeat(22 - name.length()))
                .append(summary)
                .append('\n');
    }
}
