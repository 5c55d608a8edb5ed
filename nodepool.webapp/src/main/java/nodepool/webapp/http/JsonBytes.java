package nodepool.webapp.http;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.json.JsonWriteFeature;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Map;
import nodepool.api.json.JsonValue;
import nodepool.api.json.JsonValue.JsonArray;
import nodepool.api.json.JsonValue.JsonBool;
import nodepool.api.json.JsonValue.JsonNumber;
import nodepool.api.json.JsonValue.JsonObject;

/** Documents as bytes, in ASCII, so that nobody can get the charset wrong. */
public final class JsonBytes {

    private static final JsonFactory FACTORY =
            JsonFactory.builder().enable(JsonWriteFeature.ESCAPE_NON_ASCII).build();

    private JsonBytes() {}

    /** On one line. Numbers that JSON does not have become null. */
    public static byte[] of(JsonValue value) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream(1024);
        try (JsonGenerator out = FACTORY.createGenerator(bytes)) {
            write(value, out);
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        }
        return bytes.toByteArray();
    }

    private static void write(JsonValue value, JsonGenerator out) throws IOException {
        if (value instanceof JsonObject object) {
            out.writeStartObject();
            for (Map.Entry<String, JsonValue> member : object.members().entrySet()) {
                out.writeFieldName(member.getKey());
                write(member.getValue(), out);
            }
            out.writeEndObject();
        } else if (value instanceof JsonArray array) {
            out.writeStartArray();
            for (JsonValue item : array.items()) {
                write(item, out);
            }
            out.writeEndArray();
        } else if (value instanceof JsonNumber number && number.asNumber().isPresent()) {
            out.writeNumber(number.text());
        } else if (value instanceof JsonBool bool) {
            out.writeBoolean(bool.value());
        } else if (value.asText().isPresent()) {
            out.writeString(value.asText().get());
        } else {
            out.writeNull();
        }
    }
}
