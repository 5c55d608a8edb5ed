package nodepool.webapp.rest;

import java.math.BigDecimal;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import nodepool.api.json.JsonValue;
import nodepool.api.json.JsonValue.JsonArray;
import nodepool.api.json.JsonValue.JsonBool;
import nodepool.api.json.JsonValue.JsonNumber;
import nodepool.api.listing.RecordList.Field;
import nodepool.api.listing.RecordList.Row;
import nodepool.webapp.http.Refusal;

/**
 * Which rows of a list are wanted, in which order, and what of them.
 *
 * @param wanted the rows that stay
 * @param order absent: as the list has them
 * @param fields in the order asked for
 * @param offset rows that are passed over
 * @param limit rows that are told at most
 */
record Selection(Predicate<Row> wanted, Optional<Comparator<Row>> order, List<Field> fields, int offset, int limit) {

    /** Rows told when nobody says how many. */
    static final int USUAL_LIMIT = 1_000;

    /** Rows told at most. */
    static final int LARGEST_LIMIT = 10_000;

    private static final String STATE_TIME = "state_time";
    private static final Set<String> WORDS = Set.of("fields", "sort", "limit", "offset", "min_age");

    private static final Comparator<JsonValue> BY_VALUE = Comparator.<JsonValue, Boolean>comparing(
                    value -> value.asNumber().isEmpty())
            .thenComparing(value -> value.asNumber().orElse(BigDecimal.ZERO))
            .thenComparing(Selection::text);

    /** Reads the parameters of a query. Throws a {@link Refusal} that names what makes no sense. */
    static Selection of(Map<String, String> parameters, List<Field> known, Instant now) {
        Map<String, Field> fields = new LinkedHashMap<>();
        known.forEach(field -> fields.put(field.key(), field));
        Predicate<Row> wanted = row -> true;
        for (Map.Entry<String, String> parameter : parameters.entrySet()) {
            if (fields.containsKey(parameter.getKey())) {
                wanted = wanted.and(anyOf(parameter.getKey(), parameter.getValue()));
            } else if (!WORDS.contains(parameter.getKey())) {
                throw Refusal.badRequest("unknown parameter " + parameter.getKey() + "; known are "
                        + WORDS.stream().sorted().collect(Collectors.joining(", ")) + " and the fields "
                        + String.join(", ", fields.keySet()));
            }
        }
        String age = parameters.getOrDefault("min_age", "");
        if (!age.isEmpty()) {
            field(fields, STATE_TIME);
            wanted = wanted.and(olderThan(now.getEpochSecond() - number("min_age", age, Integer.MAX_VALUE)));
        }
        return new Selection(
                wanted,
                order(parameters.getOrDefault("sort", ""), fields),
                chosen(parameters.getOrDefault("fields", ""), fields),
                number("offset", parameters.getOrDefault("offset", "0"), Integer.MAX_VALUE),
                number("limit", parameters.getOrDefault("limit", Integer.toString(USUAL_LIMIT)), LARGEST_LIMIT));
    }

    /** Those of the rows that are wanted, all of them, in order. */
    List<Row> of(List<Row> rows) {
        List<Row> found = new ArrayList<>(rows.stream().filter(wanted).toList());
        order.ifPresent(found::sort);
        return found;
    }

    /** The part of them that is told. */
    List<Row> page(List<Row> found) {
        return found.stream().skip(offset).limit(limit).toList();
    }

    private static Predicate<Row> anyOf(String key, String values) {
        Set<String> words = Set.copyOf(Arrays.asList(values.split(",", -1)));
        return row -> {
            JsonValue value = row.value(key);
            return value instanceof JsonArray array
                    ? array.items().stream().map(Selection::text).anyMatch(words::contains)
                    : words.contains(text(value));
        };
    }

    private static Predicate<Row> olderThan(long second) {
        return row -> row.value(STATE_TIME)
                .asNumber()
                .filter(since -> since.longValue() <= second)
                .isPresent();
    }

    private static Optional<Comparator<Row>> order(String sort, Map<String, Field> fields) {
        if (sort.isEmpty()) {
            return Optional.empty();
        }
        boolean turned = sort.startsWith("-");
        String key = field(fields, turned ? sort.substring(1) : sort).key();
        Function<Row, JsonValue> value = row -> row.value(key);
        Comparator<Row> order = Comparator.comparing(value, BY_VALUE);
        return Optional.of(turned ? order.reversed() : order);
    }

    private static List<Field> chosen(String keys, Map<String, Field> fields) {
        return keys.isEmpty()
                ? List.copyOf(fields.values())
                : Arrays.stream(keys.split(",")).map(key -> field(fields, key)).toList();
    }

    private static Field field(Map<String, Field> fields, String key) {
        return Optional.ofNullable(fields.get(key))
                .orElseThrow(() -> Refusal.badRequest(
                        "unknown field " + key + "; known are " + String.join(", ", fields.keySet())));
    }

    private static int number(String name, String text, int most) {
        try {
            int number = Integer.parseInt(text);
            if (number >= 0 && number <= most) {
                return number;
            }
        } catch (NumberFormatException notANumber) {
            // said below
        }
        throw Refusal.badRequest(name + ": a whole number from 0 to " + most);
    }

    /** A value as it is written in a query. */
    private static String text(JsonValue value) {
        if (value instanceof JsonNumber number) {
            return number.text();
        } else if (value instanceof JsonBool bool) {
            return Boolean.toString(bool.value());
        }
        return value.asText().orElse("");
    }
}
