package nodepool.builder.dib;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.Map;
import org.junit.jupiter.api.Test;

class ImageNameTest {

    private static final Map<String, String> FIELDS = Map.of("image_name", "debian$1", "timestamp", "1726600000");

    @Test
    void fields_are_replaced_and_doubled_braces_are_braces() {
        assertEquals("debian$1-1726600000 {x}", ImageName.of("{image_name}-{timestamp} {{x}}", FIELDS));
    }

    @Test
    void unknown_fields_and_single_braces_are_refused() {
        assertThrows(IllegalArgumentException.class, () -> ImageName.of("{owner}", FIELDS));
        assertThrows(IllegalArgumentException.class, () -> ImageName.of("a{", FIELDS));
        assertThrows(IllegalArgumentException.class, () -> ImageName.of("a}", FIELDS));
    }
}
