package nodepool.config;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import nodepool.api.config.Schema;
import nodepool.api.config.Schema.Key;
import nodepool.api.config.Schema.Rule;
import nodepool.api.config.Schema.Type;
import nodepool.api.config.Section;
import nodepool.api.driver.Driver;
import nodepool.api.driver.LoadContext;
import nodepool.api.driver.Provider;
import nodepool.api.driver.ProviderConfig;
import nodepool.api.driver.ProviderContext;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What editors are told. */
class JsonSchemaTest {

    @TempDir
    Path folder;

    /** Without the white space that is not in a text. */
    private static String compact(Schema schema) throws Exception {
        return SchemaFile.text(JsonSchema.of(schema))
                .replaceAll("\\s*\\n\\s*", "")
                .replace(" : ", ":");
    }

    @Test
    void keys_say_what_they_take() throws Exception {
        Schema schema = Schema.of(
                Key.required("name", Type.TEXT, "Who"),
                Key.optional("port", new Type.Int(1, 65535), "Where").byDefault(22),
                Key.optional("rate", Type.NUMBER, "How often").alias("pace"),
                Key.optional("labels", Type.TEXT_OR_TEXTS, "What").deprecated("write types"));
        assertEquals("""
                {"type":"object","properties":{\
                "name":{"type":"string","description":"Who"},\
                "port":{"type":"integer","minimum":1,"maximum":65535,"description":"Where","default":22},\
                "rate":{"type":["number","string"],"minimum":0.0,"pattern":"^\\\\s*[-+]?[0-9.]+([eE][-+]?[0-9]+)?\\\\s*$",\
                "description":"How often"},\
                "pace":{"type":["number","string"],"minimum":0.0,"pattern":"^\\\\s*[-+]?[0-9.]+([eE][-+]?[0-9]+)?\\\\s*$",\
                "description":"An old name of rate","deprecated":true},\
                "labels":{"anyOf":[{"type":"string"},{"type":"array","items":{"type":"string"}}],\
                "description":"What. Deprecated: write types","deprecated":true}},\
                "required":["name"],"additionalProperties":false}""", compact(schema));
    }

    @Test
    void rules_on_several_keys_are_said() throws Exception {
        Schema schema = Schema.of().with(Rule.atMostOne("a", "b", "c")).with(Rule.atLeastOne("a", "d"));
        String text = compact(schema);
        assertTrue(text.contains("""
                "not":{"anyOf":[{"required":["a","b"]},{"required":["a","c"]},{"required":["b","c"]}]}"""), text);
        assertTrue(text.contains("""
                {"anyOf":[{"required":["a"]},{"required":["d"]}]}"""), text);
    }

    @Test
    void the_file_has_a_case_for_each_driver_that_is_here() throws Exception {
        String text = SchemaFile.text(SchemaFile.of(List.of(new NamedDriver("static"), new NamedDriver("fake"))));
        assertTrue(text.contains("only-of-static"));
        assertTrue(text.contains("\"const\" : \"fake\""));
        assertFalse(text.contains("\"const\" : \"openstack\""));
    }

    @Test
    void the_build_can_write_it_where_there_is_no_folder_yet() throws Exception {
        Path file = folder.resolve("share").resolve("nodepool.schema.json");
        SchemaFile.main(new String[] {file.toString()});
        assertTrue(Files.readString(file).contains("\"zookeeper-servers\""));
    }

    private record NamedDriver(String name) implements Driver {

        @Override
        public Schema getSchema() {
            return Schema.commonProvider().with(Key.optional("only-of-" + name, Type.TEXT, "Its own"));
        }

        @Override
        public ProviderConfig getProviderConfig(Section provider, LoadContext load) {
            throw new IllegalStateException("nothing is read here");
        }

        @Override
        public Provider getProvider(ProviderConfig config, ProviderContext context) {
            throw new IllegalStateException("nothing is made here");
        }
    }
}
