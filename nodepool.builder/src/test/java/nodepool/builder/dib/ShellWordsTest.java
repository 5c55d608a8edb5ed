package nodepool.builder.dib;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ShellWordsTest {

    @Test
    void blanks_divide_and_quotes_join() {
        assertEquals(List.of("a", "b"), ShellWords.split("  a \t b\n"));
        assertEquals(List.of("disk image", "-n", ""), ShellWords.split("'disk image' -n \"\""));
        assertEquals(List.of("abc"), ShellWords.split("a'b'\"c\""));
    }

    @Test
    void a_backslash_takes_the_next_character_as_it_is_except_in_single_quotes() {
        assertEquals(List.of("a b"), ShellWords.split("a\\ b"));
        assertEquals(List.of("a\\b"), ShellWords.split("'a\\b'"));
        assertEquals(List.of("a\"b\\c\\d"), ShellWords.split("\"a\\\"b\\\\c\\d\""));
    }

    @Test
    void nothing_is_expanded() {
        assertEquals(List.of("$HOME", "*", "~"), ShellWords.split("$HOME * ~"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"'a", "\"a", "a\\"})
    void what_is_not_closed_is_refused(String text) {
        assertThrows(IllegalArgumentException.class, () -> ShellWords.split(text));
    }
}
