package nodepool.driver.metastatic;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.io.JsonStringEncoder;
import java.io.IOException;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.Instant;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Pattern;

/**
 * The text form of {@link BackingUse}: a JSON object inside a JSON string. Upgrade rule: members may be added, never
 * renamed; all but owner and label have a value when they are missing.
 */
final class UserDataText {

    private static final JsonFactory FACTORY = new JsonFactory();
    private static final BigDecimal NANOS = BigDecimal.valueOf(1_000_000_000);
    private static final Pattern SLOT = Pattern.compile("\\d{1,9}");

    private UserDataText() {}

    /** Written as the original writes it, our additions last. */
    static String write(BackingUse use) {
        StringBuilder text = new StringBuilder("{\"owner\": ").append(quoted(use.owner()));
        text.append(", \"label\": ").append(quoted(use.label()));
        text.append(", \"slots\": ").append(use.slots());
        text.append(", \"failed\": ").append(use.failed());
        text.append(", \"launched\": ").append(seconds(use.launched()));
        use.lastUsed().ifPresent(instant -> text.append(", \"last_used\": ").append(seconds(instant)));
        if (!use.taken().isEmpty()) {
            StringBuilder nodes = new StringBuilder();
            use.taken()
                    .forEach((slot, node) -> nodes.append(nodes.isEmpty() ? "" : ", ")
                            .append('"')
                            .append(slot)
                            .append("\": ")
                            .append(quoted(node)));
            text.append(", \"nodes\": {").append(nodes).append('}');
        }
        return text.append('}').toString();
    }

    private static String quoted(String text) {
        return '"' + new String(JsonStringEncoder.getInstance().quoteAsString(text)) + '"';
    }

    /** Seconds since 1970 as Python writes a float. */
    private static String seconds(Instant instant) {
        BigDecimal seconds = BigDecimal.valueOf(instant.getEpochSecond())
                .add(BigDecimal.valueOf(instant.getNano()).divide(NANOS, 7, RoundingMode.DOWN))
                .stripTrailingZeros();
        return (seconds.scale() < 1 ? seconds.setScale(1) : seconds).toPlainString();
    }

    /** Absent if it is not what {@link #write} or the original writes. */
    static Optional<BackingUse> read(String text) {
        try (JsonParser parser = FACTORY.createParser(text)) {
            return parser.nextToken() == JsonToken.START_OBJECT ? new Reading().object(parser) : Optional.empty();
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    /** Gathers the members of one object. */
    private static final class Reading {
        private Optional<String> owner = Optional.empty();
        private Optional<String> label = Optional.empty();
        private int slots = 1;
        private boolean failed;
        private Instant launched = Instant.EPOCH;
        private Optional<Instant> lastUsed = Optional.empty();
        private final SortedMap<Integer, String> taken = new TreeMap<>();

        Optional<BackingUse> object(JsonParser parser) throws IOException {
            while (parser.nextToken() == JsonToken.FIELD_NAME) {
                String name = parser.currentName();
                member(name, parser.nextToken(), parser);
            }
            return owner.isEmpty() || label.isEmpty()
                    ? Optional.empty()
                    : Optional.of(new BackingUse(owner.get(), label.get(), slots, failed, launched, lastUsed, taken));
        }

        private void member(String name, JsonToken value, JsonParser parser) throws IOException {
            boolean text = value == JsonToken.VALUE_STRING;
            if (name.equals("owner") && text) {
                owner = Optional.of(parser.getText());
            } else if (name.equals("label") && text) {
                label = Optional.of(parser.getText());
            } else if (name.equals("slots") && value == JsonToken.VALUE_NUMBER_INT) {
                slots = parser.getIntValue();
            } else if (name.equals("failed")) {
                failed = value == JsonToken.VALUE_TRUE;
            } else if (name.equals("launched") && value.isNumeric()) {
                launched = instant(parser);
            } else if (name.equals("last_used") && value.isNumeric()) {
                lastUsed = Optional.of(instant(parser));
            } else if (name.equals("nodes") && value == JsonToken.START_OBJECT) {
                nodes(parser);
            } else {
                parser.skipChildren();
            }
        }

        private static Instant instant(JsonParser parser) throws IOException {
            BigDecimal seconds = parser.getDecimalValue();
            long whole = seconds.longValue();
            return Instant.ofEpochSecond(
                    whole,
                    seconds.subtract(BigDecimal.valueOf(whole)).multiply(NANOS).longValue());
        }

        private void nodes(JsonParser parser) throws IOException {
            while (parser.nextToken() == JsonToken.FIELD_NAME) {
                String slot = parser.currentName();
                if (parser.nextToken() == JsonToken.VALUE_STRING
                        && SLOT.matcher(slot).matches()) {
                    taken.put(Integer.parseInt(slot), parser.getText());
                } else {
                    parser.skipChildren();
                }
            }
        }
    }
}
