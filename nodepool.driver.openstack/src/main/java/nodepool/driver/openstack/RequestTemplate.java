package nodepool.driver.openstack;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import nodepool.api.json.JsonValue;
import nodepool.api.json.JsonValue.JsonArray;
import nodepool.api.json.JsonValue.JsonBool;
import nodepool.api.json.JsonValue.JsonNumber;
import nodepool.api.json.JsonValue.JsonObject;
import nodepool.api.request.NodeRequest;

/** Fills the fields of a {@link Template} from a request, writing values as the original does: as Python would. */
record RequestTemplate(NodeRequest request) {

    /** A field with an optional index; a format after a colon is not supported. */
    private static final Pattern PART = Pattern.compile("\\{\\{|}}|\\{request\\.(\\w+)(?:\\[([^\\]]*)])?(?:!s)?}");

    /** The text with its fields filled in; absent if one of them cannot be. */
    Optional<String> fill(String text) {
        StringBuilder filled = new StringBuilder();
        Matcher matcher = PART.matcher(text);
        int end = 0;
        while (matcher.find()) {
            filled.append(text, end, matcher.start());
            end = matcher.end();
            if (matcher.group(1) == null) {
                filled.append(matcher.group().charAt(0));
                continue;
            }
            Optional<JsonValue> value = value(matcher.group(1)).flatMap(whole -> indexed(whole, matcher.group(2)));
            if (value.isEmpty()) {
                return Optional.empty();
            }
            filled.append(value.get().asText().orElseGet(() -> python(value.get())));
        }
        filled.append(text, end, text.length());
        String rest = matcher.replaceAll("");
        return rest.contains("{") || rest.contains("}") ? Optional.empty() : Optional.of(filled.toString());
    }

    private Optional<JsonValue> value(String field) {
        return switch (field) {
            case "id" -> Optional.of(JsonValue.of(request.id()));
            case "labels" -> Optional.of(JsonArray.ofTexts(request.wanted().nodeTypes()));
            case "requestor" -> Optional.of(JsonValue.ofNullable(request.asker().requestor()));
            case "requestor_data" -> Optional.of(request.asker().data());
            case "relative_priority" ->
                Optional.of(JsonValue.of(request.wanted().relativePriority()));
            case "event_id" -> Optional.of(JsonValue.ofNullable(request.asker().eventId()));
            case "created_time" ->
                Optional.of(JsonValue.ofNullable(request.asker()
                        .createdTime()
                        .map(time -> "%d.%03d".formatted(time.getEpochSecond(), time.getNano() / 1_000_000))));
            case "tenant_name" ->
                Optional.of(JsonValue.ofNullable(request.asker().tenantName()));
            default -> Optional.empty();
        };
    }

    private static Optional<JsonValue> indexed(JsonValue value, @org.jspecify.annotations.Nullable String index) {
        if (index == null) {
            return Optional.of(value);
        }
        if (value instanceof JsonObject map) {
            return map.get(index);
        }
        return value instanceof JsonArray list && index.matches("\\d{1,6}")
                ? list.items().stream().skip(Integer.parseInt(index)).findFirst()
                : Optional.empty();
    }

    private static String python(JsonValue value) {
        if (value instanceof JsonNumber number) {
            return number.text();
        }
        if (value instanceof JsonBool bool) {
            return bool.value() ? "True" : "False";
        }
        if (value instanceof JsonArray list) {
            return bracketed(
                    "[", list.items().stream().map(RequestTemplate::python).toList(), "]");
        }
        if (value instanceof JsonObject map) {
            return bracketed(
                    "{",
                    map.members().entrySet().stream()
                            .map(RequestTemplate::member)
                            .toList(),
                    "}");
        }
        return value.asText().map(text -> "'" + text + "'").orElse("None");
    }

    private static String member(Map.Entry<String, JsonValue> member) {
        return "'" + member.getKey() + "': " + python(member.getValue());
    }

    private static String bracketed(String open, List<String> parts, String close) {
        return parts.stream().collect(Collectors.joining(", ", open, close));
    }
}
