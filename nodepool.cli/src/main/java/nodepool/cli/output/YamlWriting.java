package nodepool.cli.output;

import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import nodepool.api.json.JsonValue;
import nodepool.api.json.JsonValue.JsonArray;
import nodepool.api.json.JsonValue.JsonObject;

/** A list of records as YAML 1.1: one block per record, everything inside of it on one line. */
final class YamlWriting {

    private static final Pattern PLAIN = Pattern.compile("[A-Za-z][A-Za-z0-9_./-]*");
    private static final Set<String> NOT_TEXT = Set.of("y", "n", "yes", "no", "on", "off", "true", "false", "null");

    private YamlWriting() {}

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

    private static String value(JsonValue value) {
        if (value instanceof JsonArray array) {
            return array.items().stream().map(YamlWriting::value).collect(Collectors.joining(", ", "[", "]"));
        }
        return value.asText().map(YamlWriting::word).orElseGet(() -> JsonWriting.compact(value));
    }

    /** Quoted where a reader could take it for something else. */
    private static String word(String text) {
        boolean plain = PLAIN.matcher(text).matches() && !NOT_TEXT.contains(text.toLowerCase(java.util.Locale.ROOT));
        return plain ? text : JsonWriting.quoted(text);
    }
}
