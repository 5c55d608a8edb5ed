package nodepool.cli.options;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SyntaxTest {

    private static final Syntax GENERAL = Syntax.of("nodepool", "Node pool.")
            .with(
                    Option.text("CONFIG", "path to config file", "-c"),
                    Option.flag("show debug messages", "-d", "--debug"),
                    Option.count("SECONDS", "how long to wait", "--timeout"));
    private static final Syntax LIST = Syntax.of("nodepool list", "list nodes")
            .with(
                    Option.flag("more columns", "--detail"),
                    Option.flag("now", "--now"),
                    Option.flag("none", "--no-headers"),
                    Option.oneOf(List.of("table", "json"), "form", "--format"),
                    Option.text("WHY", "reason", "-m", "--comment"))
            .alsoUnderstanding(GENERAL.options());
    private static final Syntax DELETE = LIST.with(Positional.one("ID", "of the node"));
    private static final Syntax REQUEST = LIST.with(Positional.some("LABEL", "what is wanted"));

    private static Arguments parse(Syntax syntax, String line) throws Mistake {
        return syntax.parse(line.isEmpty() ? List.of() : List.of(line.split(" ")));
    }

    private static String mistake(Syntax syntax, String line) {
        return String.valueOf(
                assertThrows(Mistake.class, () -> parse(syntax, line)).getMessage());
    }

    @ParameterizedTest
    @CsvSource({
        "--comment why",
        "--comment=why",
        "--comm why",
        "--comm=why",
        "-m why",
        "-mwhy",
        "-m=why",
        "-m first -m why",
        "-dm why",
        "--comment first --com why"
    })
    void a_value_can_be_written_in_many_ways(String line) throws Mistake {
        assertEquals("why", parse(LIST, line).value("--comment").orElseThrow());
    }

    @Test
    void an_option_that_is_not_there_has_no_value() throws Mistake {
        Arguments nothing = parse(LIST, "");
        assertFalse(nothing.has("--detail"));
        assertTrue(nothing.value("--comment").isEmpty());
    }

    @Test
    void general_options_are_understood_behind_the_command() throws Mistake {
        Arguments found = parse(DELETE, "-c a.yaml 42 --timeout 3 -d");
        assertEquals(Map.of("-c", "a.yaml", "--timeout", "3", "--debug", ""), found.values());
        assertEquals("42", found.word());
    }

    @Test
    void a_shortened_name_means_the_commands_own_option_first() throws Mistake {
        assertTrue(parse(LIST, "--de").has("--detail"));
        assertTrue(parse(LIST, "--deb").has("--debug"));
    }

    @Test
    void a_shortened_name_that_could_be_two_is_a_mistake() {
        assertEquals("ambiguous option: --no could match --now, --no-headers", mistake(LIST, "--no"));
    }

    @Test
    void an_exact_name_is_never_ambiguous() throws Mistake {
        assertTrue(parse(LIST, "--now").has("--now"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "--comment|argument -m/--comment: expected one argument",
                "--comment --now|argument -m/--comment: expected one argument",
                "-c|argument -c: expected one argument",
                "--now=1|argument --now: ignored explicit argument '1'",
                "--format xml|argument --format: invalid choice: 'xml' (choose from 'table', 'json')",
                "--timeout soon|argument --timeout: invalid int value: 'soon'",
                "--timeout 0|argument --timeout: must be between 1 and 99999999",
                "--timeout -5|argument --timeout: must be between 1 and 99999999",
                "--x --y=1|unrecognized arguments: --x --y=1",
                "one two|unrecognized arguments: one two",
                "-dx|unrecognized arguments: -x",
            })
    void a_mistake_is_named(String line, String expected) {
        assertEquals(expected, mistake(LIST, line));
    }

    @Test
    void a_missing_word_is_named() {
        assertEquals("the following arguments are required: ID", mistake(DELETE, "--now"));
        assertEquals("the following arguments are required: LABEL", mistake(REQUEST, ""));
        assertEquals("unrecognized arguments: 2", mistake(DELETE, "1 2"));
    }

    @Test
    void words_and_options_can_be_mixed() throws Mistake {
        Arguments found = parse(REQUEST, "a --now b -m x c");
        assertEquals(List.of("a", "b", "c"), found.words());
        assertTrue(found.has("--now"));
    }

    @Test
    void words_behind_two_dashes_are_no_options() throws Mistake {
        assertEquals(List.of("--now", "-c"), parse(REQUEST, "-- --now -c").words());
    }

    @Test
    void a_negative_number_a_single_dash_and_a_sentence_are_no_options() throws Mistake {
        assertEquals(List.of("-5", "-"), parse(REQUEST, "-5 -").words());
        assertEquals(
                "- not -c",
                LIST.parse(List.of("-m", "- not -c")).value("--comment").orElseThrow());
    }

    @Test
    void nothing_behind_help_is_looked_at() throws Mistake {
        assertTrue(parse(DELETE, "--help --no-such").has("--help"));
        assertTrue(parse(DELETE, "-h").has("--help"));
    }

    @Test
    void the_command_stands_behind_the_leading_options() throws Mistake {
        assertEquals(3, GENERAL.leading(List.of("-d", "-c", "list", "list", "--no-such")));
        assertEquals(0, GENERAL.leading(List.of("list")));
        assertEquals(1, GENERAL.leading(List.of("--", "list")));
    }

    @Test
    void an_unknown_option_before_the_command_is_a_mistake() {
        Mistake mistake = assertThrows(Mistake.class, () -> GENERAL.leading(List.of("--detail", "list")));
        assertEquals("unrecognized arguments: --detail", mistake.getMessage());
    }

    @Test
    void help_says_what_there_is_and_shows_an_example() {
        Syntax syntax = Syntax.of("nodepool delete", "Place a node in the DELETE state.")
                .with(Option.flag("wait until it is gone", "--now"))
                .with(Option.text(
                        "WHY",
                        "a reason that is so long that it does not fit into one line of help",
                        "-m",
                        "--comment-for-it"))
                .with(Positional.one("ID", "of the node"))
                .example("nodepool delete 42");
        assertEquals("""
                usage: nodepool delete [-h] [--now] [-m WHY] ID

                Place a node in the DELETE state.

                arguments:
                  ID                    of the node

                options:
                  -h, --help            show this help message and exit
                  --now                 wait until it is gone
                  -m WHY, --comment-for-it WHY
                                        a reason that is so long that it does not fit into one
                                        line of help

                example:
                  nodepool delete 42
                """, syntax.help());
    }

    @Test
    void a_long_usage_is_broken_between_options() {
        assertEquals("""
                usage: nodepool list [-h] [--detail] [--now] [--no-headers]
                                     [--format {table,json}] [-m WHY] LABEL [LABEL ...]""", REQUEST.usage());
    }

    @Test
    void a_complaint_is_usage_and_reason() {
        assertEquals(
                "usage: nodepool [-h]\nnodepool: error: no",
                Syntax.of("nodepool", "").complaint(new Mistake("no")));
    }
}
