package nodepool.cli.output;

import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import nodepool.api.json.JsonValue;
import nodepool.api.json.JsonValue.JsonArray;

/**
 * One column of a list.
 *
 * @param <T> what a row shows
 * @param key name in JSON, YAML and CSV, and for {@code --fields} and {@code --sort}
 * @param header of the table
 * @param shown where it appears unasked
 * @param value as programs read it
 * @param text as people read it in a table
 * @param order what {@code --sort} compares
 */
public record Column<T>(
        String key,
        String header,
        Shown shown,
        Function<T, JsonValue> value,
        Function<T, String> text,
        Function<T, JsonValue> order) {

    /** Where a column appears when nobody asks for it by name. */
    public enum Shown {
        ALWAYS,
        /** With {@code --detail}, and in JSON and YAML. */
        DETAIL,
        /** In JSON and YAML. */
        DOCUMENTS
    }

    /** Any value. */
    public static <T> Column<T> of(String key, String header, Function<T, JsonValue> value) {
        return new Column<>(key, header, Shown.ALWAYS, value, row -> CellText.of(value.apply(row)), value);
    }

    /** Text that may be absent. */
    public static <T> Column<T> text(String key, String header, Function<T, Optional<String>> value) {
        return of(key, header, row -> JsonValue.ofNullable(value.apply(row)));
    }

    /** Text that is always there. */
    public static <T> Column<T> word(String key, String header, Function<T, String> value) {
        return of(key, header, row -> JsonValue.of(value.apply(row)));
    }

    /** A list of texts. */
    public static <T> Column<T> texts(String key, String header, Function<T, List<String>> value) {
        return of(key, header, row -> JsonArray.ofTexts(value.apply(row)));
    }

    /** A whole number. */
    public static <T> Column<T> number(String key, String header, Function<T, Long> value) {
        return of(key, header, row -> JsonValue.of(value.apply(row)));
    }

    /** Yes or no. */
    public static <T> Column<T> bool(String key, String header, Function<T, Boolean> value) {
        return of(key, header, row -> new JsonValue.JsonBool(value.apply(row)));
    }

    /** The same column, shown elsewhere. */
    public Column<T> shown(Shown where) {
        return new Column<>(key, header, where, value, text, order);
    }

    /** The same column, sorted by something else than what it shows. */
    public Column<T> orderedBy(Function<T, JsonValue> other) {
        return new Column<>(key, header, shown, value, text, other);
    }
}
