package nodepool.zk;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.core.json.JsonReadFeature;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import nodepool.api.json.JsonValue;
import nodepool.api.json.JsonValue.JsonArray;
import nodepool.api.json.JsonValue.JsonBool;
import nodepool.api.json.JsonValue.JsonNull;
import nodepool.api.json.JsonValue.JsonNumber;
import nodepool.api.json.JsonValue.JsonObject;

/** JSON text to values and back. Writes the bytes that Python's {@code json.dumps} writes, so that captures can be compared. */
final class JsonText {

    private static final JsonFactory FACTORY = JsonFactory.builder()
            .enable(JsonReadFeature.ALLOW_NON_NUMERIC_NUMBERS)
            .disable(StreamReadFeature.INCLUDE_SOURCE_IN_LOCATION)
            .build();

    private JsonText() {}

    /** Parses one object. */
    static JsonObject readObject(byte[] bytes) throws MalformedDocumentException {
        try (JsonParser parser = FACTORY.createParser(bytes)) {
            parser.nextToken();
            if (parser.currentToken() != JsonToken.START_OBJECT) {
                throw new MalformedDocumentException("is not a JSON object");
            }
            JsonObject object = (JsonObject) read(parser);
            if (parser.nextToken() != null) {
                throw new MalformedDocumentException("has text behind the JSON object");
            }
            return object;
        } catch (JsonProcessingException e) {
            throw new MalformedDocumentException("is not JSON: " + e.getOriginalMessage());
        } catch (IOException e) {
            throw new MalformedDocumentException("is not JSON: " + e.getMessage());
        }
    }

    private static JsonValue read(JsonParser parser) throws IOException {
        switch (parser.currentToken()) {
            case START_OBJECT -> {
                Map<String, JsonValue> members = new LinkedHashMap<>();
                while (parser.nextToken() != JsonToken.END_OBJECT) {
                    String name = parser.currentName();
                    parser.nextToken();
                    members.put(name, read(parser));
                }
                return new JsonObject(members);
            }
            case START_ARRAY -> {
                List<JsonValue> items = new ArrayList<>();
                while (parser.nextToken() != JsonToken.END_ARRAY) {
                    items.add(read(parser));
                }
                return new JsonArray(items);
            }
            case VALUE_STRING -> {
                return JsonValue.of(parser.getText());
            }
            case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> {
                return new JsonNumber(parser.getText());
            }
            case VALUE_TRUE -> {
                return new JsonBool(true);
            }
            case VALUE_FALSE -> {
                return new JsonBool(false);
            }
            default -> {
                return JsonNull.NULL;
            }
        }
    }

    /** The document's bytes. */
    static byte[] write(JsonValue value) {
        StringBuilder out = new StringBuilder(1024);
        write(value, out);
        return out.toString().getBytes(StandardCharsets.US_ASCII);
    }

    /** The same members, sorted by name. */
    static JsonObject sorted(JsonObject object) {
        return new JsonObject(new LinkedHashMap<>(new TreeMap<>(object.members())));
    }

    private static void write(JsonValue value, StringBuilder out) {
        if (value instanceof JsonObject object) {
            out.append('{');
            String between = "";
            for (Map.Entry<String, JsonValue> member : object.members().entrySet()) {
                out.append(between);
                quote(member.getKey(), out);
                out.append(": ");
                write(member.getValue(), out);
                between = ", ";
            }
            out.append('}');
        } else if (value instanceof JsonArray array) {
            out.append('[');
            String between = "";
            for (JsonValue item : array.items()) {
                out.append(between);
                write(item, out);
                between = ", ";
            }
            out.append(']');
        } else if (value instanceof JsonNumber number) {
            out.append(number.asNumber().isPresent() ? number.text() : "null");
        } else if (value instanceof JsonBool bool) {
            out.append(bool.value());
        } else if (value instanceof JsonValue.JsonText text) {
            quote(text.value(), out);
        } else {
            out.append("null");
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
                case '\b' -> out.append("\\b");
                case '\f' -> out.append("\\f");
                default -> {
                    if (c < 0x20 || c > 0x7e) {
                        out.append(String.format("\\u%04x", (int) c));
                    } else {
                        out.append(c);
                    }
                }
            }
        }
        out.append('"');
    }
}
