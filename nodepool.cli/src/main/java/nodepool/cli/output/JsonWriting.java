package nodepool.cli.output;

import java.util.Map;
import nodepool.api.json.JsonValue;
import nodepool.api.json.JsonValue.JsonArray;
import nodepool.api.json.JsonValue.JsonBool;
import nodepool.api.json.JsonValue.JsonNumber;
import nodepool.api.json.JsonValue.JsonObject;

/** Values as JSON text. */
public final class JsonWriting {

    private static final String STEP = "  ";

    private JsonWriting() {}

    /** On one line. */
    public static String compact(JsonValue value) {
        StringBuilder text = new StringBuilder();
        write(value, text);
        return text.toString();
    }

    /** One member or item per line. */
    public static String indented(JsonValue value) {
        StringBuilder text = new StringBuilder();
        indent(value, "\n", text);
        return text.toString();
    }

    /** A JSON string. */
    static String quoted(String text) {
        StringBuilder quoted = new StringBuilder(text.length() + 2);
        quote(text, quoted);
        return quoted.toString();
    }

    private static void write(JsonValue value, StringBuilder text) {
        if (value instanceof JsonObject object) {
            text.append('{');
            String between = "";
            for (Map.Entry<String, JsonValue> member : object.members().entrySet()) {
                text.append(between);
                quote(member.getKey(), text);
                text.append(": ");
                write(member.getValue(), text);
                between = ", ";
            }
            text.append('}');
        } else if (value instanceof JsonArray array) {
            text.append('[');
            String between = "";
            for (JsonValue item : array.items()) {
                text.append(between);
                write(item, text);
                between = ", ";
            }
            text.append(']');
        } else {
            scalar(value, text);
        }
    }

    private static void indent(JsonValue value, String line, StringBuilder text) {
        String inner = line + STEP;
        if (value instanceof JsonObject object && !object.members().isEmpty()) {
            String before = "{" + inner;
            for (Map.Entry<String, JsonValue> member : object.members().entrySet()) {
                text.append(before);
                quote(member.getKey(), text);
                text.append(": ");
                indent(member.getValue(), inner, text);
                before = "," + inner;
            }
            text.append(line).append('}');
        } else if (value instanceof JsonArray array && array.items().stream().anyMatch(JsonObject.class::isInstance)) {
            String before = "[" + inner;
            for (JsonValue item : array.items()) {
                text.append(before);
                indent(item, inner, text);
                before = "," + inner;
            }
            text.append(line).append(']');
        } else {
            write(value, text);
        }
    }

    /** Numbers that JSON does not have become null. */
    private static void scalar(JsonValue value, StringBuilder text) {
        if (value instanceof JsonNumber number) {
            text.append(number.asNumber().isPresent() ? number.text() : "null");
        } else if (value instanceof JsonBool bool) {
            text.append(bool.value());
        } else if (value.asText().isPresent()) {
            quote(value.asText().get(), text);
        } else {
            text.append("null");
        }
    }

    private static void quote(String text, StringBuilder out) {
        out.append('"');
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            switch (c) {
                case '"' -> out.append("\\\"");
                case '\\' -> out.append("\\\\");
                case '\n' -> out.append("\\n");
                case '\r' -> out.append("\\r");
                case '\t' -> out.append("\\t");
                default -> {
                    if (mustBeEscaped(text, i)) {
                        out.append(String.format("\\u%04x", (int) c));
                    } else {
                        out.append(c);
                    }
                }
            }
        }
        out.append('"');
    }

    /** Control characters, line ends that only some readers know, and halves of a pair. */
    private static boolean mustBeEscaped(String text, int at) {
        char c = text.charAt(at);
        if (Character.isHighSurrogate(c)) {
            return at + 1 == text.length() || !Character.isLowSurrogate(text.charAt(at + 1));
        }
        if (Character.isLowSurrogate(c)) {
            return at == 0 || !Character.isHighSurrogate(text.charAt(at - 1));
        }
        return Character.isISOControl(c) || c == '\u2028' || c == '\u2029' || c == '\ufeff';
    }
}
