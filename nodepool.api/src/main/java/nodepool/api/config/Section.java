package nodepool.api.config;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import nodepool.api.json.JsonValue;
import org.osgi.annotation.versioning.ProviderType;

/**
 * A mapping of a configuration file, already checked against its {@link Schema}: defaults are filled in, old names of keys
 * are answered under the new ones, wrong values have been reported and read as absent. Immutable. Two sections are equal
 * when they hold the same values, wherever they stand.
 */
@ProviderType
public interface Section {

    /** Where it stands. */
    Location at();

    /** Where the value of that key stands; the section's own place if the key is not there. */
    Location at(String key);

    /** With names where entries have one: {@code providers[east].pools[main]}. */
    String path();

    /** Whether the file has the key, with a value other than null; defaults do not count. */
    boolean has(String key);

    /** Text; numbers and booleans as written. */
    Optional<String> text(String key);

    /** The whole number of that key. */
    OptionalInt integer(String key);

    /** The number of that key, whole or not. */
    Optional<Double> number(String key);

    /** The yes or no of that key. */
    Optional<Boolean> bool(String key);

    /** A list of texts; a single text counts as a list of one where the schema allows that. Empty if absent. */
    List<String> texts(String key);

    /** A mapping below this one. */
    Optional<Section> section(String key);

    /** A list of mappings. Empty if absent. */
    List<Section> sections(String key);

    /** A mapping of names to numbers. Empty if absent. */
    Map<String, Double> numbers(String key);

    /** Any value, as JSON. */
    Optional<JsonValue> json(String key);

    /** The values of keys of type {@link Schema.Type#SECRET}, here and below: not for logs, messages or records. */
    default Set<String> secrets() {
        return Set.of();
    }

    /**
     * Every key with its value as JSON, defaults included, in the order of the file. A mapping that has a schema of its own
     * stands there by its path, a list of such as a list of paths; {@link #section} and {@link #sections} have what is in them.
     */
    default Map<String, JsonValue> members() {
        return Map.of();
    }

    /** Text that must be there; the schema has reported it if it is not, and it reads as empty. */
    default String require(String key) {
        return text(key).orElse("");
    }

    /** A whole number with a default. */
    default int integer(String key, int otherwise) {
        return integer(key).orElse(otherwise);
    }

    /** A yes or no with a default. */
    default boolean bool(String key, boolean otherwise) {
        return bool(key).orElse(otherwise);
    }
}
