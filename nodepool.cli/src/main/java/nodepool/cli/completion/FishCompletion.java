package nodepool.cli.completion;

import java.util.List;
import nodepool.cli.options.Option;
import nodepool.cli.options.Positional;
import nodepool.cli.options.Syntax;

/** For fish, to be found in its folder of completions as {@code nodepool.fish}. */
public final class FishCompletion {

    private static final String FUNCTIONS = """
            # Completes the command lines of nodepool in fish.
            function __nodepool_command
                set -l words (commandline -opc)
                set -e words[1]
                while set -q words[1]
                    switch $words[1]
                        case GENERAL_WITH_VALUE
                            set -q words[2]; and set -e words[1]
                        case '-*'
                        case '*'
                            echo $words[1]
                            return
                    end
                    set -e words[1]
                end
            end
            function __nodepool_is
                set -l command (__nodepool_command)
                test "$command" = "$argv[1]"
            end
            complete -c nodepool -f
            """;

    private FishCompletion() {}

    /** A script to be sourced. */
    public static String of(List<Syntax> commands) {
        StringBuilder script = new StringBuilder(FUNCTIONS.replace(
                "GENERAL_WITH_VALUE", CommandTable.generalWithValue().replace('|', ' ')));
        CommandTable.general().forEach(option -> option(script, "", option));
        for (Syntax command : commands) {
            String name = CommandTable.name(command);
            script.append("complete -c nodepool -n '__nodepool_is \"\"' -a ")
                    .append(name)
                    .append(" -d ")
                    .append(quoted(command.summary()))
                    .append('\n');
            String here = "-n '__nodepool_is " + name + "' ";
            command.options().stream()
                    .filter(option -> !option.equals(Option.HELP))
                    .forEach(option -> option(script, here, option));
            command.positionals().stream().limit(1).forEach(first -> words(script, here, first));
        }
        return script.toString();
    }

    private static void option(StringBuilder script, String here, Option option) {
        script.append("complete -c nodepool ").append(here);
        for (String name : option.names()) {
            script.append(name.startsWith("--") ? "-l " + name.substring(2) : "-s " + name.substring(1))
                    .append(' ');
        }
        if (option.kind() == Option.Kind.FILE) {
            script.append("-r -F ");
        } else if (option.takesValue()) {
            script.append("-x ");
        }
        if (!option.choices().isEmpty()) {
            script.append("-a ")
                    .append(quoted(String.join(" ", option.choices())))
                    .append(' ');
        }
        script.append("-d ").append(quoted(option.help())).append('\n');
    }

    private static void words(StringBuilder script, String here, Positional first) {
        if (!first.choices().isEmpty()) {
            script.append("complete -c nodepool ")
                    .append(here)
                    .append("-a ")
                    .append(quoted(String.join(" ", first.choices())))
                    .append('\n');
        } else if (first.metavar().equals("PATH")) {
            script.append("complete -c nodepool ").append(here).append("-F\n");
        }
    }

    private static String quoted(String text) {
        return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'";
    }
}
