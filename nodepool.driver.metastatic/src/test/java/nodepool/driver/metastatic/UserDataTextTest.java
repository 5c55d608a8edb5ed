package nodepool.driver.metastatic;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class UserDataTextTest {

    /** As the original writes it. */
    private static final String ORIGINAL = "{\"owner\": \"NodePool:metastatic:meta-dc1\", \"label\": \"meta-small\","
            + " \"slots\": 8, \"failed\": false, \"launched\": 1726611000.25}";

    private static final BackingUse USE = new BackingUse(
            "NodePool:metastatic:meta-dc1",
            "meta-small",
            8,
            false,
            Instant.ofEpochMilli(1_726_611_000_250L),
            Optional.empty(),
            new TreeMap<>());

    @Test
    void the_text_of_the_original_is_read_and_written_byte_for_byte() {
        assertEquals(Optional.of(USE), UserDataText.read(ORIGINAL));
        assertEquals(ORIGINAL, UserDataText.write(USE));
    }

    @Test
    void our_additions_survive() {
        BackingUse more = USE.withTaken(new TreeMap<>(Map.of(0, "0000000101", 7, "0000000102")))
                .without("none", Instant.ofEpochSecond(1_726_611_100))
                .withFailed();

        assertEquals(Optional.of(more), UserDataText.read(UserDataText.write(more)));
    }

    @Test
    void what_is_missing_has_a_value_and_what_is_unknown_is_passed_over() {
        assertEquals(
                Optional.of(new BackingUse(
                        "o", "l", 1, false, Instant.EPOCH, Optional.empty(), new TreeMap<>(Map.of(2, "n")))),
                UserDataText.read("{\"new\": {\"owner\": [1]}, \"owner\": \"o\", \"label\": \"l\", \"slots\": \"x\","
                        + " \"nodes\": {\"2\": \"n\", \"x\": \"m\", \"3\": {}}}"));
    }

    @Test
    void other_texts_are_none_of_ours() {
        for (String other : new String[] {"", "null", "[]", "{", "{\"owner\": \"o\"}", "{\"label\": \"l\"} x"}) {
            assertEquals(Optional.empty(), UserDataText.read(other), other);
        }
    }
}
