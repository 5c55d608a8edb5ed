package nodepool.cli.output;

import java.util.stream.Collectors;
import nodepool.api.json.JsonValue;
import nodepool.api.json.JsonValue.JsonArray;
import nodepool.api.json.JsonValue.JsonBool;
import nodepool.api.json.JsonValue.JsonNumber;

/** A value as the cell of a table. */
final class CellText {

    private CellText() {}

    static String of(JsonValue value) {
        if (value instanceof JsonArray array) {
            return array.items().stream().map(CellText::of).collect(Collectors.joining(","));
        } else if (value instanceof JsonBool bool) {
            return bool.value() ? "True" : "False";
        } else if (value instanceof JsonNumber number) {
            return number.text();
        } else if (value.isNull()) {
            return "";
        }
        return value.asText().orElseGet(() -> JsonWriting.compact(value));
    }

    /** Characters that would break the drawing, or steer the terminal, become visible. */
    static String printable(String text) {
        if (text.chars().noneMatch(Character::isISOControl)) {
            return text;
        }
        StringBuilder visible = new StringBuilder();
        text.chars().forEach(c -> {
            if (c == '\n') {
                visible.append("\\n");
            } else if (Character.isISOControl(c)) {
                visible.append(String.format("\\u%04x", c));
            } else {
                visible.append((char) c);
            }
        });
        return visible.toString();
    }
}
