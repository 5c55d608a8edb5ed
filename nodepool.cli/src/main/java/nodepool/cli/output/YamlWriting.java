package nodepool.cli.output;

import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import nodepool.api.json.JsonValue;
import nodepool.api.json.JsonValue.JsonArray;
import nodepool.api.json.JsonValue.JsonObject;

/** Values as YAML 1.1. */
public final class YamlWriting {

    private static final Pattern PLAIN = Pattern.compile("[A-Za-z][A-Za-z0-9_./-]*");
    private static final Set<String> NOT_TEXT = Set.of("y", "n", "yes", "no", "on", "off", "true", "false", "null");

    private YamlWriting() {}

    /** A list of records: one block per record, everything inside of it on one line. */
    static String of(JsonArray records) {
        if (records.items().isEmpty()) {
            return "[]\n";
        }
        StringBuilder text = new StringBuilder();
        for (JsonValue record : records.items()) {
            String before = "- ";
            if (record instanceof JsonObject object) {
                for (Map.Entry<String, JsonValue> member : object.members().entrySet()) {
                    text.append(before)
                            .append(word(member.getKey()))
                            .append(": ")
                            .append(value(member.getValue()))
                            .append('\n');
                    before = "  ";
                }
            }
            text.append(before.equals("- ") ? "- {}\n" : "");
        }
        return text.toString();
    }

    /** One object, with objects and lists of objects inside of it as blocks of their own. */
    public static String block(JsonObject object) {
        StringBuilder text = new StringBuilder();
        block(object, "", "", text);
        return text.isEmpty() ? "{}\n" : text.toString();
    }

    private static void block(JsonObject object, String first, String others, StringBuilder text) {
        String before = first;
        for (Map.Entry<String, JsonValue> member : object.members().entrySet()) {
            text.append(before).append(word(member.getKey())).append(':');
            before = others;
            JsonValue value = member.getValue();
            if (value instanceof JsonObject inner && !inner.members().isEmpty()) {
                text.append('\n');
                block(inner, others + "  ", others + "  ", text);
            } else if (value instanceof JsonArray array
                    && array.items().stream().anyMatch(YamlWriting::needsBlock)) {
                text.append('\n');
                array.items().forEach(item -> item(item, others, text));
            } else {
                text.append(' ').append(value(value)).append('\n');
            }
        }
    }

    private static boolean needsBlock(JsonValue item) {
        return item instanceof JsonObject object && !object.members().isEmpty();
    }

    private static void item(JsonValue item, String indent, StringBuilder text) {
        if (item instanceof JsonObject object && needsBlock(item)) {
            block(object, indent + "- ", indent + "  ", text);
        } else {
            text.append(indent).append("- ").append(value(item)).append('\n');
        }
    }

    private static String value(JsonValue value) {
        if (value instanceof JsonArray array) {
            return array.items().stream().map(YamlWriting::value).collect(Collectors.joining(", ", "[", "]"));
        }
        return value.asText().map(YamlWriting::word).orElseGet(() -> JsonWriting.compact(value));
    }

    /** Quoted where a reader could take it for something else. */
    private static String word(String text) {
        boolean plain = PLAIN.matcher(text).matches() && !NOT_TEXT.contains(text.toLowerCase(Locale.ROOT));
        return plain ? text : JsonWriting.quoted(text);
    }
}
