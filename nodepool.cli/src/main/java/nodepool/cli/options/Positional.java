package nodepool.cli.options;

/**
 * A word of the command line that is no option.
 *
 * @param metavar its name in usage texts
 * @param required whether it must be there
 * @param repeats whether it takes all words that are left; only the last one may
 * @param help what it is
 */
public record Positional(String metavar, boolean required, boolean repeats, String help) {

    /** One word that must be there. */
    public static Positional one(String metavar, String help) {
        return new Positional(metavar, true, false, help);
    }

    /** A word that may be left out. */
    public static Positional optional(String metavar, String help) {
        return new Positional(metavar, false, false, help);
    }

    /** One word or more. */
    public static Positional some(String metavar, String help) {
        return new Positional(metavar, true, true, help);
    }

    String usage() {
        String word = repeats ? metavar + " [" + metavar + " ...]" : metavar;
        return required ? word : "[" + word + "]";
    }
}
