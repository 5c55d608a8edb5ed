package nodepool.config;

import java.math.BigDecimal;
import java.util.Optional;
import nodepool.api.config.Schema.Type;
import nodepool.api.json.JsonValue;
import nodepool.api.json.JsonValue.JsonBool;
import nodepool.api.json.JsonValue.JsonNumber;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.ScalarNode;
import org.yaml.snakeyaml.nodes.Tag;

/**
 * Checks single values, and says what was expected, what was found and what to do.
 *
 * @param file the values are in
 * @param secret whether values may not be shown
 */
record ScalarCheck(String file, boolean secret, Problems problems) {

    private static final String NOT_SHOWN = "a value that is not shown";

    Optional<JsonValue> check(Node node, Type type, String path) {
        if (type instanceof Type.Secret) {
            if (node instanceof ScalarNode secretText) {
                problems.hide(secretText.getValue(), NOT_SHOWN);
            }
            return new ScalarCheck(file, true, problems).check(node, Type.TEXT, path);
        }
        if (!(node instanceof ScalarNode scalar)) {
            wrong(node, path, expected(type));
            return Optional.empty();
        }
        JsonValue value = YamlNodes.json(scalar);
        if (type instanceof Type.Bool) {
            return value instanceof JsonBool ? Optional.of(value) : wrong(node, path, expected(type));
        }
        if (type instanceof Type.Int range) {
            return whole(value)
                    ? inRange(node, value, BigDecimal.valueOf(range.min()), BigDecimal.valueOf(range.max()), path)
                    : wrong(node, path, expected(type));
        }
        if (type instanceof Type.Numeric range) {
            return number(scalar, value, range, path);
        }
        if (type instanceof Type.Word words) {
            return words.words().contains(scalar.getValue())
                    ? Optional.of(JsonValue.of(scalar.getValue()))
                    : wrong(node, path, expected(type));
        }
        if (type instanceof Type.TextOrInt && node.getTag().equals(Tag.INT)) {
            return value.asNumber().map(number -> JsonValue.of(number.toPlainString()));
        }
        return node.getTag().equals(Tag.STR) ? Optional.of(value) : wrong(node, path, expected(type));
    }

    private static boolean whole(JsonValue value) {
        return value.asNumber()
                .filter(number -> number.stripTrailingZeros().scale() <= 0)
                .isPresent();
    }

    private Optional<JsonValue> inRange(Node node, JsonValue value, BigDecimal min, BigDecimal max, String path) {
        BigDecimal number = value.asNumber().orElse(BigDecimal.ZERO);
        if (number.compareTo(min) >= 0 && number.compareTo(max) <= 0) {
            return Optional.of(value);
        }
        String range = max.intValueExact() < Integer.MAX_VALUE ? min + " to " + max : min + " or more";
        return problem(node, path, shown(number.toPlainString()) + " is out of range: " + range);
    }

    private Optional<JsonValue> number(ScalarNode node, JsonValue value, Type.Numeric range, String path) {
        Optional<BigDecimal> number = value.asNumber().or(() -> decimal(node.getValue()));
        if (number.isEmpty()) {
            return wrong(node, path, "a number");
        }
        if (number.get().doubleValue() >= range.min()) {
            return Optional.of(new JsonNumber(number.get().toPlainString()));
        }
        String least = range.min() == GlobalSchema.MORE_THAN_ZERO ? "more than 0" : range.min() + " or more";
        return problem(node, path, shown(number.get().toPlainString()) + " is out of range: " + least);
    }

    private static Optional<BigDecimal> decimal(String text) {
        try {
            return Optional.of(new BigDecimal(text.trim()));
        } catch (NumberFormatException e) {
            return Optional.empty();
        }
    }

    private static String expected(Type type) {
        if (type instanceof Type.Bool) {
            return "yes or no";
        }
        if (type instanceof Type.Int) {
            return "a whole number";
        }
        if (type instanceof Type.Numeric) {
            return "a number";
        }
        return type instanceof Type.Word words ? "one of " + String.join(", ", words.words()) : "text";
    }

    /** Reports the wrong kind of value; answers nothing. */
    Optional<JsonValue> wrong(Node node, String path, String expected) {
        String found = "a " + node.getNodeId();
        if (node instanceof ScalarNode scalar) {
            found = node.getTag().equals(Tag.STR) ? shown("\"" + scalar.getValue() + "\"") : shown(scalar.getValue());
            found = node.getTag().equals(Tag.NULL) ? "nothing" : found;
        }
        return problem(node, path, "expected " + expected + ", found " + found + hint(node, expected));
    }

    private String hint(Node node, String expected) {
        if (!(node instanceof ScalarNode scalar) || node.getTag().equals(Tag.NULL)) {
            return "";
        }
        if (expected.equals("text")) {
            String value = YamlNodes.json(node)
                    .asNumber()
                    .map(BigDecimal::toPlainString)
                    .orElse(scalar.getValue());
            String become = value.equals(scalar.getValue()) ? "" : ", or it becomes " + value;
            return secret ? "; add quotes" : "; add quotes" + become;
        }
        if (expected.equals("a whole number") && YamlNodes.json(node) instanceof JsonBool bool) {
            return "; it would count as " + (bool.value() ? 1 : 0);
        }
        boolean unquoted = expected.equals("yes or no")
                ? scalar.getValue().matches("(?i)yes|no|true|false|on|off")
                : decimal(scalar.getValue()).isPresent();
        return node.getTag().equals(Tag.STR) && unquoted ? "; remove the quotes" : "";
    }

    private String shown(String value) {
        return secret ? NOT_SHOWN : value;
    }

    private Optional<JsonValue> problem(Node node, String path, String message) {
        problems.error(YamlNodes.at(file, node), path, message);
        return Optional.empty();
    }
}
