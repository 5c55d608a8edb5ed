package nodepool.zk;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.function.Function;
import nodepool.api.json.JsonValue;
import nodepool.api.json.JsonValue.JsonArray;
import nodepool.api.json.JsonValue.JsonBool;
import nodepool.api.json.JsonValue.JsonNull;
import nodepool.api.json.JsonValue.JsonNumber;
import nodepool.api.json.JsonValue.JsonObject;
import nodepool.api.quota.QuotaInformation;

/** The kinds of fields in documents: how each is read, tolerantly, and written. */
final class Fields {

    private static final BigDecimal NANOS = BigDecimal.valueOf(1_000_000_000L);
    private static final BigDecimal LAST_SECOND = BigDecimal.valueOf(Instant.MAX.getEpochSecond());

    private Fields() {}

    static Optional<String> text(JsonObject doc, String name) {
        return doc.get(name).flatMap(Fields::text);
    }

    /** Text; other values than null as their JSON text, so that nothing is lost. */
    static Optional<String> text(JsonValue value) {
        if (value.isNull()) {
            return Optional.empty();
        }
        return value.asText()
                .or(() -> Optional.of(new String(JsonText.write(value), java.nio.charset.StandardCharsets.US_ASCII)));
    }

    static String required(JsonObject doc, String name) throws MalformedDocumentException {
        return text(doc, name).orElseThrow(() -> new MalformedDocumentException("has no " + name));
    }

    /** A list of texts. Neither it nor one of them must be null; absent is empty. */
    static List<String> texts(JsonObject doc, String name) throws MalformedDocumentException {
        JsonValue value = doc.get(name).orElse(new JsonArray(List.of()));
        if (!(value instanceof JsonArray array)) {
            throw new MalformedDocumentException("has no list in " + name);
        }
        List<String> texts = array.texts();
        if (texts.size() < array.items().size()) {
            throw new MalformedDocumentException("has something else than text in " + name);
        }
        return texts;
    }

    static boolean bool(JsonObject doc, String name, boolean absent) {
        return doc.get(name)
                .map(value -> value instanceof JsonBool bool ? bool.value() : !value.isNull())
                .orElse(absent);
    }

    static Optional<BigDecimal> number(JsonObject doc, String name) {
        return doc.get(name).flatMap(Fields::number);
    }

    private static Optional<BigDecimal> number(JsonValue value) {
        try {
            return value.asNumber()
                    .or(() -> value.asText().map(BigDecimal::new))
                    .filter(Fields::isOfThisWorld);
        } catch (NumberFormatException notANumber) {
            return Optional.empty();
        }
    }

    /** No count, size or time has more than 38 digits before or behind the point; with more, arithmetic takes for ever. */
    private static boolean isOfThisWorld(BigDecimal number) {
        return Math.abs((long) number.precision() - number.scale()) <= 38 && Math.abs((long) number.scale()) <= 38;
    }

    static OptionalInt integer(JsonObject doc, String name) {
        return number(doc, name)
                .map(number -> OptionalInt.of(number.intValue()))
                .orElse(OptionalInt.empty());
    }

    /** Seconds; text that is no number is 0. */
    static OptionalLong seconds(JsonObject doc, String name) {
        Optional<JsonValue> value = doc.get(name).filter(given -> !given.isNull());
        return value.isEmpty()
                ? OptionalLong.empty()
                : OptionalLong.of(number(value.get()).map(BigDecimal::longValue).orElse(0L));
    }

    static Optional<Instant> instant(JsonObject doc, String name) {
        return number(doc, name)
                .filter(seconds -> seconds.abs().compareTo(LAST_SECOND) < 0)
                .map(Fields::instant);
    }

    private static Instant instant(BigDecimal seconds) {
        BigDecimal floor = seconds.setScale(0, RoundingMode.FLOOR);
        return Instant.ofEpochSecond(
                floor.longValue(), seconds.subtract(floor).multiply(NANOS).longValue());
    }

    static Optional<QuotaInformation> resources(JsonObject doc, String name) {
        if (!(doc.get(name).orElse(JsonNull.NULL) instanceof JsonObject object)) {
            return Optional.empty();
        }
        Map<String, Double> amounts = new TreeMap<>();
        object.members()
                .forEach((resource, value) ->
                        number(value).ifPresent(number -> amounts.put(resource, number.doubleValue())));
        return Optional.of(QuotaInformation.needs(amounts));
    }

    static JsonValue of(Optional<String> text) {
        return JsonValue.ofNullable(text);
    }

    /** Plain decimal seconds as Python prints them, microseconds at most. */
    static JsonValue of(Instant time) {
        BigDecimal seconds = BigDecimal.valueOf(time.getEpochSecond())
                .add(BigDecimal.valueOf(time.getNano()).divide(NANOS))
                .setScale(6, RoundingMode.DOWN)
                .stripTrailingZeros();
        return new JsonNumber((seconds.scale() < 1 ? seconds.setScale(1) : seconds).toPlainString());
    }

    static JsonValue ofTime(Optional<Instant> time) {
        return time.map(Fields::of).orElse(JsonNull.NULL);
    }

    static JsonValue of(OptionalInt number) {
        return number.isPresent() ? JsonValue.of(number.getAsInt()) : JsonNull.NULL;
    }

    static JsonValue of(OptionalLong number) {
        return number.isPresent() ? JsonValue.of(number.getAsLong()) : JsonNull.NULL;
    }

    static JsonValue ofResources(Optional<QuotaInformation> resources) {
        if (resources.isEmpty()) {
            return JsonNull.NULL;
        }
        Map<String, JsonValue> members = new LinkedHashMap<>();
        resources.get().amounts().forEach((name, amount) -> members.put(name, number(amount)));
        return new JsonObject(members);
    }

    private static JsonValue number(double amount) {
        return amount == Math.rint(amount)
                ? JsonValue.of((long) amount)
                : new JsonNumber(BigDecimal.valueOf(amount).toPlainString());
    }

    /** A document being rewritten: known fields in their order, values that did not change in their original form. */
    static final class Rewrite {
        private final JsonObject original;
        private final Map<String, JsonValue> members = new LinkedHashMap<>();

        Rewrite(JsonObject original) {
            this.original = original;
        }

        /**
         * @param was what the original reads as
         * @param is what it shall read as
         */
        <T> Rewrite field(String name, Function<JsonObject, T> was, T is, Function<T, JsonValue> form) {
            Optional<JsonValue> old = original.get(name);
            boolean same = old.isPresent() && Objects.equals(was.apply(original), is);
            members.put(name, same ? old.get() : form.apply(is));
            return this;
        }

        Rewrite text(String name, Optional<String> is) {
            return field(name, doc -> Fields.text(doc, name), is, Fields::of);
        }

        Rewrite time(String name, Optional<Instant> is) {
            return field(name, doc -> instant(doc, name), is, Fields::ofTime);
        }

        Rewrite json(String name, JsonValue is) {
            members.put(name, is);
            return this;
        }

        Rewrite texts(String name, List<String> is) {
            members.put(name, JsonArray.ofTexts(is));
            return this;
        }

        /** With the fields nobody here knows, behind the known ones. */
        JsonObject done() {
            original.members().forEach(members::putIfAbsent);
            return new JsonObject(members);
        }
    }
}
