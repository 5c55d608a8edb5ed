package nodepool.cli.completion;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import nodepool.cli.options.Option;
import nodepool.cli.options.ProgramOptions;
import nodepool.cli.options.Syntax;

/** What a shell must know of our commands, in the words of a {@code case} of the shell. */
record CommandTable(List<Syntax> commands) {

    /** What {@code quickstart} and {@code new-driver} are is known to the start script only. */
    private static final String OF_THE_SCRIPT = "quickstart new-driver";

    /** What follows {@code nodepool}. */
    static String name(Syntax command) {
        return command.program().substring("nodepool ".length());
    }

    String names() {
        return String.join(" ", commands.stream().map(CommandTable::name).toList()) + " " + OF_THE_SCRIPT;
    }

    /** The options before the command. */
    static List<Option> general() {
        List<Option> all = new ArrayList<>(List.of(Option.HELP));
        all.addAll(ProgramOptions.ALL);
        return all;
    }

    static String names(List<Option> options) {
        return String.join(
                " ", options.stream().flatMap(option -> option.names().stream()).toList());
    }

    /** The program's options that take a value, for a pattern. */
    static String generalWithValue() {
        return pattern(general(), Option::takesValue);
    }

    /** The program's options that take a file, for a pattern. */
    static String generalWithFile() {
        return pattern(general(), option -> option.kind() == Option.Kind.FILE);
    }

    private static String pattern(List<Option> options, Predicate<Option> wanted) {
        return String.join(
                "|",
                options.stream()
                        .filter(wanted)
                        .flatMap(option -> option.names().stream())
                        .toList());
    }

    /** One line of a {@code case} for each command: its options. */
    String optionLines() {
        return lines(
                command -> Stream.of("        %s) options='%s' ;;".formatted(name(command), names(command.options()))));
    }

    /** One line of a {@code case} for each command whose first word is one of some. */
    String wordLines() {
        return lines(command -> command.positionals().stream()
                .limit(1)
                .filter(first -> !first.choices().isEmpty())
                .map(first -> "        %s) words='%s' ;;".formatted(name(command), String.join(" ", first.choices()))));
    }

    /** One line of a {@code case} for each option with a value: the values, or nothing if there is nothing to offer. */
    String valueLines() {
        return lines(command -> command.options().stream()
                .filter(Option::takesValue)
                .map(option -> "        '%s %s') values='%s' ;;"
                        .formatted(name(command), option.name(), String.join(" ", option.choices()))));
    }

    private String lines(Function<Syntax, Stream<String>> each) {
        return commands.stream().flatMap(each).map(line -> line + "\n").collect(Collectors.joining());
    }
}
