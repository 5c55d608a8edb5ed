package nodepool.cli.options;

import java.util.List;

/**
 * A word of the command line that is no option.
 *
 * @param metavar its name in usage texts
 * @param required whether it must be there
 * @param repeats whether it takes all words that are left; only the last one may
 * @param choices the words it may be; empty: any
 * @param help what it is
 */
public record Positional(String metavar, boolean required, boolean repeats, List<String> choices, String help) {

    public Positional {
        choices = List.copyOf(choices);
    }

    /** One word that must be there. */
    public static Positional one(String metavar, String help) {
        return new Positional(metavar, true, false, List.of(), help);
    }

    /** One of some words, which must be there. */
    public static Positional oneOf(String metavar, List<String> choices, String help) {
        return new Positional(metavar, true, false, choices, help);
    }

    /** A word that may be left out. */
    public static Positional optional(String metavar, String help) {
        return new Positional(metavar, false, false, List.of(), help);
    }

    /** One word or more. */
    public static Positional some(String metavar, String help) {
        return new Positional(metavar, true, true, List.of(), help);
    }

    String usage() {
        String word = repeats ? metavar + " [" + metavar + " ...]" : metavar;
        return required ? word : "[" + word + "]";
    }

    /** Refuses a word that cannot be. */
    void check(String word) throws Mistake {
        if (!choices.isEmpty() && !choices.contains(word)) {
            throw new Mistake("argument " + metavar + ": " + Mistake.invalidChoice(word, choices));
        }
    }
}
