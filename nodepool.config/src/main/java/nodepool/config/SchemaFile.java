package nodepool.config;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.util.DefaultIndenter;
import com.fasterxml.jackson.core.util.DefaultPrettyPrinter;
import java.io.IOException;
import java.io.StringWriter;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.ServiceLoader;
import nodepool.api.config.Schema;
import nodepool.api.driver.Driver;
import nodepool.api.json.JsonValue;
import nodepool.api.json.JsonValue.JsonArray;
import nodepool.api.json.JsonValue.JsonBool;
import nodepool.api.json.JsonValue.JsonNull;
import nodepool.api.json.JsonValue.JsonNumber;
import nodepool.api.json.JsonValue.JsonObject;
import nodepool.api.json.JsonValue.JsonText;
import org.jspecify.annotations.Nullable;

/** The JSON Schema of {@code nodepool.yaml} for editors, made by the build from what the files are checked against. */
public final class SchemaFile {

    private static final String DRAFT = "http://json-schema.org/draft-07/schema#";
    private static final String OPENSTACK = "openstack";

    private SchemaFile() {}

    /**
     * Writes it.
     *
     * @param args the file to write; its folder is made
     */
    public static void main(String[] args) throws IOException {
        Path file = Path.of(args[0]).toAbsolutePath();
        List<Driver> drivers = new ArrayList<>();
        ServiceLoader.load(Driver.class).forEach(drivers::add);
        Path folder = file.getParent();
        if (folder != null) {
            Files.createDirectories(folder);
        }
        Files.writeString(file, text(of(drivers)));
    }

    /** The whole file, with entries of these drivers; those of others are not checked. */
    static JsonObject of(Collection<Driver> drivers) {
        Map<String, JsonValue> members = new LinkedHashMap<>();
        members.put("$schema", JsonValue.of(DRAFT));
        members.put("title", JsonValue.of("nodepool.yaml"));
        members.putAll(JsonSchema.of(GlobalSchema.TOP).members());
        Map<String, JsonValue> properties = new LinkedHashMap<>(members(members.get("properties")));
        Map<String, JsonValue> providers = new LinkedHashMap<>(members(properties.get("providers")));
        providers.put("items", provider(drivers));
        properties.put("providers", new JsonObject(providers));
        members.put("properties", new JsonObject(properties));
        return new JsonObject(members);
    }

    private static Map<String, JsonValue> members(@Nullable JsonValue value) {
        return value instanceof JsonObject object ? object.members() : Map.of();
    }

    private static JsonObject provider(Collection<Driver> drivers) {
        List<JsonValue> cases = new ArrayList<>();
        drivers.stream()
                .sorted(Comparator.comparing(Driver::name))
                .forEach(driver ->
                        cases.add(object("if", isServedBy(driver.name()), "then", JsonSchema.of(driver.getSchema()))));
        Map<String, JsonValue> members = new LinkedHashMap<>();
        members.putAll(
                JsonSchema.of(new Schema(Schema.commonProvider().keys(), Optional.of(Schema.Type.ANY), List.of()))
                        .members());
        members.put("allOf", new JsonArray(cases));
        return new JsonObject(members);
    }

    /** As {@link ProviderEntries} finds the driver: by the entry's name if that begins with fake, else by what is written. */
    private static JsonObject isServedBy(String driver) {
        JsonObject fakeName =
                object("properties", object("name", object("pattern", JsonValue.of("^" + ProviderEntries.FAKE))));
        JsonObject written = object("properties", object("driver", object("const", JsonValue.of(driver))));
        if (driver.equals(ProviderEntries.FAKE)) {
            return object("anyOf", new JsonArray(List.of(fakeName, requiring("driver", written))));
        }
        JsonObject named = driver.equals(OPENSTACK) ? written : requiring("driver", written);
        return object("allOf", new JsonArray(List.of(object("not", fakeName), named)));
    }

    private static JsonObject requiring(String key, JsonObject condition) {
        Map<String, JsonValue> members = new LinkedHashMap<>(condition.members());
        members.put("required", JsonArray.ofTexts(List.of(key)));
        return new JsonObject(members);
    }

    private static JsonObject object(String name, JsonValue value) {
        return new JsonObject(Map.of(name, value));
    }

    private static JsonObject object(String name, JsonValue value, String second, JsonValue other) {
        Map<String, JsonValue> members = new LinkedHashMap<>();
        members.put(name, value);
        members.put(second, other);
        return new JsonObject(members);
    }

    static String text(JsonObject schema) throws IOException {
        Writer out = new StringWriter();
        DefaultIndenter lines = new DefaultIndenter("  ", "\n");
        DefaultPrettyPrinter printer = new DefaultPrettyPrinter();
        printer.indentArraysWith(lines);
        printer.indentObjectsWith(lines);
        try (JsonGenerator generator = new JsonFactory().createGenerator(out)) {
            write(schema, generator.setPrettyPrinter(printer));
        }
        return out + "\n";
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
        } else if (value instanceof JsonNumber number) {
            out.writeNumber(number.text());
        } else if (value instanceof JsonBool bool) {
            out.writeBoolean(bool.value());
        } else if (value instanceof JsonText text) {
            out.writeString(text.value());
        } else if (value instanceof JsonNull) {
            out.writeNull();
        }
    }
}
