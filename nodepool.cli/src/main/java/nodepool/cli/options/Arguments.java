package nodepool.cli.options;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What a command line says.
 *
 * @param values of the options that are there, by {@link Option#name()}; empty text for those without a value
 * @param words that are no options, in order
 */
public record Arguments(Map<String, String> values, List<String> words) {

    public Arguments {
        values = Map.copyOf(values);
        words = List.copyOf(words);
    }

    /** Whether that option is there. */
    public boolean has(String option) {
        return values.containsKey(option);
    }

    /** The value of that option. */
    public Optional<String> value(String option) {
        return Optional.ofNullable(values.get(option));
    }

    /** The first word. Only for a syntax that requires one. */
    public String word() {
        return words.get(0);
    }
}
