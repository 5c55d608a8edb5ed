package nodepool.cli.verb;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TextMapTest {

    @Test
    void texts_are_read_with_their_escapes() {
        assertEquals(Map.of(), TextMap.read(" { } "));
        assertEquals(
                Map.of("/a", "{\"state\": \"ready\"}", "b", "\u00e9\n/"),
                TextMap.read("{\"/a\": \"{\\\"state\\\": \\\"ready\\\"}\",\n \"b\":\"\\u00e9\\n\\/\"}"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "[]",
                "{\"a\": 1}",
                "{\"a\"}",
                "{\"a\": \"b\"",
                "{\"a\": \"b\"} x",
                "{\"a\": \"\\x\"}",
                "{\"a\":\"\\u00"
            })
    void anything_else_is_refused(String json) {
        assertThrows(IllegalArgumentException.class, () -> TextMap.read(json));
    }
}
