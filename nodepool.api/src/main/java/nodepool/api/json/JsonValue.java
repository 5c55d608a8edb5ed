package nodepool.api.json;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A JSON value. Numbers keep the text they were read with, so that integers of any size and decimals of any precision
 * survive a rewrite digit for digit; objects keep the order of their members.
 *
 * <p>Every implementation is immutable. Two numbers are equal only when their texts are.
 */
public sealed interface JsonValue {

    /** This value as text, if it is a JSON string. */
    default Optional<String> asText() {
        return Optional.empty();
    }

    /** This value as a number, if it is a JSON number other than {@code NaN} and the infinities. */
    default Optional<BigDecimal> asNumber() {
        return Optional.empty();
    }

    /** Whether this is the JSON word {@code null}. */
    default boolean isNull() {
        return false;
    }

    /** A JSON string holding {@code text}. */
    static JsonValue of(String text) {
        return new JsonText(text);
    }

    /** A JSON number. */
    static JsonValue of(long number) {
        return new JsonNumber(Long.toString(number));
    }

    /** {@code text} as a JSON string, or {@link JsonNull#NULL} when absent. */
    static JsonValue ofNullable(Optional<String> text) {
        return text.<JsonValue>map(JsonText::new).orElse(JsonNull.NULL);
    }

    /** The word {@code null}. */
    enum JsonNull implements JsonValue {
        NULL;

        @Override
        public boolean isNull() {
            return true;
        }
    }

    /** {@code true} or {@code false}. */
    record JsonBool(boolean value) implements JsonValue {}

    /** A string, without its quotes and escapes. */
    record JsonText(String value) implements JsonValue {
        @Override
        public Optional<String> asText() {
            return Optional.of(value);
        }
    }

    /**
     * A number.
     *
     * @param text the literal as read: decimal digits of any length, or one of {@code NaN}, {@code Infinity},
     *     {@code -Infinity}, which others may write and we never do
     */
    record JsonNumber(String text) implements JsonValue {
        @Override
        public Optional<BigDecimal> asNumber() {
            return Character.isLetter(text.charAt(text.length() - 1))
                    ? Optional.empty()
                    : Optional.of(new BigDecimal(text));
        }
    }

    /** An ordered list of values. */
    record JsonArray(List<JsonValue> items) implements JsonValue {
        public JsonArray {
            items = List.copyOf(items);
        }

        /** The items that are strings, in order. */
        public List<String> texts() {
            List<String> texts = new ArrayList<>();
            items.forEach(item -> item.asText().ifPresent(texts::add));
            return List.copyOf(texts);
        }

        /** An array of strings. */
        public static JsonArray ofTexts(List<String> texts) {
            return new JsonArray(texts.stream().map(JsonValue::of).toList());
        }
    }

    /** Members in the order in which they were written. */
    record JsonObject(Map<String, JsonValue> members) implements JsonValue {

        /** An object without members. */
        public static final JsonObject EMPTY = new JsonObject(Map.of());

        public JsonObject {
            members = Collections.unmodifiableMap(new LinkedHashMap<>(members));
        }

        /** The member of that name; absent is not the same as {@link JsonNull#NULL}. */
        public Optional<JsonValue> get(String name) {
            return Optional.ofNullable(members.get(name));
        }

        /** A copy in which {@code name} has {@code value}; a new name goes to the end. */
        public JsonObject with(String name, JsonValue value) {
            Map<String, JsonValue> copy = new LinkedHashMap<>(members);
            copy.put(name, value);
            return new JsonObject(copy);
        }
    }
}
