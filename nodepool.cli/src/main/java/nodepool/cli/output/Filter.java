package nodepool.cli.output;

import java.util.List;
import java.util.function.Function;
import java.util.function.Predicate;
import nodepool.cli.options.Mistake;
import nodepool.cli.options.Option;

/**
 * An option that leaves rows out.
 *
 * @param <T> what a row shows
 * @param option on the command line
 * @param condition of the rows that stay
 */
public record Filter<T>(Option option, Condition<T> condition) {

    /** Makes a test of what the operator typed. */
    @FunctionalInterface
    public interface Condition<T> {
        Predicate<T> of(String value) throws Mistake;
    }

    /** Rows of which one of the words is one of those typed, which are separated by commas. */
    public static <T> Filter<T> anyOf(String name, String metavar, String help, Function<T, List<String>> words) {
        return new Filter<>(Option.text(metavar, help, name), value -> {
            List<String> wanted = List.of(value.split(","));
            return row -> words.apply(row).stream().anyMatch(wanted::contains);
        });
    }

    /** As {@link #anyOf}, of words that are known. */
    public static <T> Filter<T> state(List<String> known, Function<T, String> state) {
        Option option = Option.text("STATE", "only those in this state, or in one of several: a,b", "--state");
        return new Filter<>(option, value -> {
            List<String> wanted = List.of(value.split(","));
            for (String one : wanted) {
                if (!known.contains(one)) {
                    throw new Mistake("argument --state: " + Mistake.invalidChoice(one, known));
                }
            }
            return row -> wanted.contains(state.apply(row));
        });
    }
}
