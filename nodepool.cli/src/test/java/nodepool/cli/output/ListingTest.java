package nodepool.cli.output;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import nodepool.api.json.JsonValue;
import nodepool.api.json.JsonValue.JsonArray;
import nodepool.api.json.JsonValue.JsonBool;
import nodepool.api.json.JsonValue.JsonNull;
import nodepool.api.json.JsonValue.JsonNumber;
import nodepool.api.json.JsonValue.JsonObject;
import nodepool.cli.options.Mistake;
import nodepool.cli.options.Syntax;
import nodepool.cli.output.Column.Shown;
import org.junit.jupiter.api.Test;
import org.yaml.snakeyaml.Yaml;

class ListingTest {

    private record Fruit(String name, List<String> colours, long weight, Optional<String> note) {}

    private static final Listing<Fruit> LISTING = new Listing<>(
            List.of(
                    Column.word("name", "Name", Fruit::name),
                    Column.texts("colours", "Colours", Fruit::colours),
                    Column.number("weight", "Weight", Fruit::weight),
                    Column.text("note", "Note", Fruit::note).shown(Shown.DETAIL),
                    Column.bool("heavy", "Heavy", (Fruit fruit) -> fruit.weight() > 99)
                            .shown(Shown.DOCUMENTS)),
            List.of(
                    Filter.anyOf("--colour", "COLOUR", "only of this colour", Fruit::colours),
                    Filter.state(List.of("apple", "fig", "melon"), Fruit::name)));
    private static final List<Fruit> FRUIT = List.of(
            new Fruit("melon", List.of("green", "yellow"), 1200, Optional.of("say \"cut\", then\nserve")),
            new Fruit("fig", List.of(), 30, Optional.empty()),
            new Fruit("apple", List.of("red", "green"), 150, Optional.of("yes")));

    private static String print(String line, List<Fruit> rows) throws Mistake {
        Syntax syntax = LISTING.addTo(Syntax.of("fruit", "Lists fruit."));
        StringWriter out = new StringWriter();
        PrintWriter writer = new PrintWriter(out);
        LISTING.view(syntax.parse(line.isEmpty() ? List.of() : List.of(line.split(" "))))
                .print(rows, writer);
        writer.flush();
        return out.toString();
    }

    private static String mistake(String line) {
        return String.valueOf(
                assertThrows(Mistake.class, () -> print(line, FRUIT)).getMessage());
    }

    @Test
    void a_table_is_as_wide_as_its_widest_cells() throws Mistake {
        assertEquals("""
                +-------+--------------+--------+
                | Name  | Colours      | Weight |
                +-------+--------------+--------+
                | melon | green,yellow | 1200   |
                | fig   |              | 30     |
                | apple | red,green    | 150    |
                +-------+--------------+--------+
                """, print("", FRUIT));
    }

    @Test
    void a_table_without_rows_is_two_rules_and_the_header() throws Mistake {
        assertEquals("""
                +------+---------+--------+
                | Name | Colours | Weight |
                +------+---------+--------+
                +------+---------+--------+
                """, print("", List.of()));
    }

    @Test
    void detail_adds_columns_and_a_line_end_does_not_break_the_drawing() throws Mistake {
        assertEquals("""
                +-------+--------------+--------+------------------------+
                | Name  | Colours      | Weight | Note                   |
                +-------+--------------+--------+------------------------+
                | melon | green,yellow | 1200   | say "cut", then\\nserve |
                +-------+--------------+--------+------------------------+
                """, print("--detail --state melon", FRUIT));
    }

    @Test
    void headers_can_be_left_out() throws Mistake {
        assertEquals("+-----+\n| fig |\n+-----+\n", print("--no-headers --fields name --state fig", FRUIT));
        assertEquals("fig\n", print("--no-headers --fields name --state fig --format csv", FRUIT));
    }

    @Test
    void csv_quotes_what_needs_it() throws Mistake {
        assertEquals("""
                name,colours,weight,note
                melon,"green,yellow",1200,"say ""cut"", then
                serve"
                fig,,30,
                apple,"red,green",150,yes
                """, print("--format csv --detail", FRUIT));
    }

    @Test
    void json_has_every_field_and_one_record_per_line() throws Mistake {
        assertEquals("""
                [
                  {"name": "melon", "colours": ["green", "yellow"], "weight": 1200, "note": "say \\"cut\\", then\\nserve", "heavy": true},
                  {"name": "fig", "colours": [], "weight": 30, "note": null, "heavy": false},
                  {"name": "apple", "colours": ["red", "green"], "weight": 150, "note": "yes", "heavy": true}
                ]
                """, print("--format json", FRUIT));
        assertEquals("[]\n", print("--format json", List.of()));
    }

    @Test
    void yaml_means_the_same_as_json() throws Exception {
        String yaml = print("--format yaml", FRUIT);
        assertTrue(yaml.startsWith("- name: melon\n  colours: [green, yellow]\n  weight: 1200\n"), yaml);
        assertEquals(
                new ObjectMapper().readValue(print("--format json", FRUIT), List.class), new Yaml().load(yaml), yaml);
        assertEquals("[]\n", print("--format yaml", List.of()));
    }

    @Test
    void fields_come_in_the_order_asked_for() throws Mistake {
        assertEquals("heavy,name\nTrue,melon\n", print("--fields heavy,NAME --state melon --format csv", FRUIT));
        assertEquals("[\n  {\"weight\": 30}\n]\n", print("--fields weight --format json --state fig", FRUIT));
    }

    @Test
    void numbers_sort_as_numbers_and_words_as_words() throws Mistake {
        assertEquals("fig\napple\nmelon\n", print("--sort weight --fields name --format csv --no-headers", FRUIT));
        assertEquals("melon\napple\nfig\n", print("--sort=-weight --fields name --format csv --no-headers", FRUIT));
        assertEquals("apple\nfig\nmelon\n", print("--sort name --fields name --format csv --no-headers", FRUIT));
    }

    @Test
    void filters_leave_out_the_rest_and_take_several_words() throws Mistake {
        assertEquals("name\napple\n", print("--colour red --fields name --format csv", FRUIT));
        assertEquals("name\nmelon\napple\n", print("--colour red,yellow --fields name --format csv", FRUIT));
        assertEquals("name\nmelon\n", print("--colour green --state melon,fig --fields name --format csv", FRUIT));
    }

    @Test
    void unknown_words_are_named() {
        assertEquals(
                "argument --fields: invalid choice: 'size' (choose from 'name', 'colours', 'weight', 'note', 'heavy')",
                mistake("--fields name,size"));
        assertEquals(
                "argument --sort: invalid choice: 'size' (choose from 'name', 'colours', 'weight', 'note', 'heavy')",
                mistake("--sort size"));
        assertEquals(
                "argument --state: invalid choice: 'plum' (choose from 'apple', 'fig', 'melon')",
                mistake("--state fig,plum"));
    }

    @Property(tries = 500)
    void any_text_survives_json_and_yaml(@ForAll String text, @ForAll String key) throws Exception {
        Map<String, JsonValue> members = new LinkedHashMap<>();
        members.put(key, JsonValue.of(text));
        members.put(key + "list", new JsonArray(List.of(JsonValue.of(text), JsonNull.NULL, new JsonBool(true))));
        members.put(key + "object", new JsonObject(Map.of(text, new JsonNumber("1.50"))));
        JsonObject object = new JsonObject(members);
        Map<String, Object> expected = new LinkedHashMap<>();
        expected.put(key, text);
        List<Object> items = new ArrayList<>();
        items.add(text);
        items.add(null);
        items.add(true);
        expected.put(key + "list", items);
        expected.put(key + "object", Map.of(text, 1.5));
        assertEquals(expected, new ObjectMapper().readValue(JsonWriting.compact(object), Map.class));
        assertEquals(expected, new ObjectMapper().readValue(JsonWriting.indented(object), Map.class));
        if (text.codePoints().noneMatch(ListingTest::isUnknownToYaml)
                && key.codePoints().noneMatch(ListingTest::isUnknownToYaml)) {
            assertEquals(List.of(expected), new Yaml().load(YamlWriting.of(new JsonArray(List.of(object)))));
        }
    }

    /** Halves of a pair, and code points that are no characters. */
    private static boolean isUnknownToYaml(int c) {
        return (c >= 0xd800 && c <= 0xdfff) || (c & 0xfffe) == 0xfffe;
    }

    @Test
    void numbers_json_does_not_have_are_null() {
        assertEquals("null", JsonWriting.compact(new JsonNumber("NaN")));
        assertEquals(
                "123456789012345678901234567890",
                JsonWriting.compact(new JsonNumber("123456789012345678901234567890")));
    }

    @Test
    void a_record_of_its_own_is_indented() {
        JsonObject object = new JsonObject(Map.of("a", new JsonObject(Map.of("b", JsonArray.ofTexts(List.of("c"))))));
        assertEquals("""
                {
                  "a": {
                    "b": ["c"]
                  }
                }""", JsonWriting.indented(object));
        assertEquals("{}", JsonWriting.indented(JsonObject.EMPTY));
    }
}
