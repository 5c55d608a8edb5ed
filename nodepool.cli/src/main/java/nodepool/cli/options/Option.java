package nodepool.cli.options;

import java.util.List;
import java.util.Optional;

/**
 * One option.
 *
 * @param names as typed, the short one first
 * @param metavar the word for its value in usage texts; absent for an option that is there or not
 * @param kind what its value must be
 * @param choices the values it may have; empty: any
 * @param help what it does
 */
public record Option(List<String> names, Optional<String> metavar, Kind kind, List<String> choices, String help) {

    /** What a value must be. */
    public enum Kind {
        TEXT,
        /** The name of a file or folder. */
        FILE,
        /** A whole number above zero. */
        COUNT,
        /** There or not; everything behind it is not looked at any more. */
        ENDS_PARSING
    }

    public Option {
        names = List.copyOf(names);
        choices = List.copyOf(choices);
    }

    /** {@code -h}, which every command has. */
    public static final Option HELP = new Option(
            List.of("-h", "--help"), Optional.empty(), Kind.ENDS_PARSING, List.of(), "show this help message and exit");

    /** An option without a value. */
    public static Option flag(String help, String... names) {
        return new Option(List.of(names), Optional.empty(), Kind.TEXT, List.of(), help);
    }

    /** An option with a text. */
    public static Option text(String metavar, String help, String... names) {
        return new Option(List.of(names), Optional.of(metavar), Kind.TEXT, List.of(), help);
    }

    /** An option with the name of a file. */
    public static Option file(String metavar, String help, String... names) {
        return new Option(List.of(names), Optional.of(metavar), Kind.FILE, List.of(), help);
    }

    /** An option with a whole number above zero. */
    public static Option count(String metavar, String help, String... names) {
        return new Option(List.of(names), Optional.of(metavar), Kind.COUNT, List.of(), help);
    }

    /** An option with one of some words. */
    public static Option oneOf(List<String> choices, String help, String... names) {
        return new Option(List.of(names), Optional.of("{" + String.join(",", choices) + "}"), Kind.TEXT, choices, help);
    }

    /** The name it is asked for by: the last one. */
    public String name() {
        return names.get(names.size() - 1);
    }

    /** Whether a value belongs to it. */
    public boolean takesValue() {
        return metavar.isPresent();
    }

    /** As messages call it. */
    String spoken() {
        return String.join("/", names);
    }

    /** As it stands in a usage line. */
    String usage() {
        return "[" + names.get(0) + metavar.map(word -> " " + word).orElse("") + "]";
    }

    /** Refuses a value that cannot be. */
    void check(String value) throws Mistake {
        if (!choices.isEmpty() && !choices.contains(value)) {
            throw new Mistake("argument " + spoken() + ": " + Mistake.invalidChoice(value, choices));
        }
        if (kind == Kind.COUNT && !value.matches("0*[1-9]\\d{0,7}")) {
            throw new Mistake("argument " + spoken() + ": "
                    + (value.matches("-?\\d+")
                            ? "must be between 1 and 99999999"
                            : "invalid int value: '" + value + "'"));
        }
    }
}
