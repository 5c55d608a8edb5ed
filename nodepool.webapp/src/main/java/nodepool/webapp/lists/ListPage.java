package nodepool.webapp.lists;

import java.time.Clock;
import java.time.Instant;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Predicate;
import java.util.stream.Stream;
import nodepool.api.json.JsonValue;
import nodepool.api.json.JsonValue.JsonArray;
import nodepool.api.json.JsonValue.JsonObject;
import nodepool.api.listing.RecordList;
import nodepool.api.listing.RecordList.Field;
import nodepool.api.listing.RecordList.Row;
import nodepool.webapp.http.Accept;
import nodepool.webapp.http.Answer;
import nodepool.webapp.http.Ask;
import nodepool.webapp.http.Page;
import nodepool.webapp.http.Refusal;

/** One of the original's lists. Answers are kept for a second. */
public final class ListPage implements Page {

    /** What the original draws when none of the fields asked for exists. */
    private static final String NO_FIELDS = "++\n||\n++\n++";

    private static final int NODE_ID_DIGITS = 10;

    private final OriginalList list;
    private final SharedLists lists;
    private final SharedState state;
    private final Clock clock;
    private final AnswerCache cache;

    public ListPage(OriginalList list, SharedLists lists, SharedState state, Clock clock) {
        this.list = list;
        this.lists = lists;
        this.state = state;
        this.clock = clock;
        this.cache = new AnswerCache(clock);
    }

    private enum Form {
        TEXT,
        JSON,
        CSV
    }

    /**
     * What of the list is wanted.
     *
     * @param fields known keys, in the order of the list
     * @param node id of the only node wanted
     */
    private record Wish(Form form, List<Field> fields, Optional<String> node) {}

    @Override
    public CompletionStage<Answer> answer(Ask ask) {
        RecordList source =
                lists.find(list.word()).orElseThrow(() -> Refusal.unavailable("the commands are not installed"));
        Wish wish = wish(ask, source);
        SharedState.View view = state.view();
        if (wish.node().isPresent()) {
            return made(source, wish, view);
        }
        Optional<Answer> kept = cache.find(wish);
        if (kept.isPresent()) {
            return CompletableFuture.completedStage(kept.get());
        }
        return made(source, wish, view).thenApply(answer -> {
            cache.keep(wish, answer);
            return answer;
        });
    }

    private Wish wish(Ask ask, RecordList source) {
        Form form = ask.parameter("format")
                .map(ListPage::form)
                .orElseGet(() -> Accept.form(ask.accept())
                        .map(one -> one == Accept.Form.JSON ? Form.JSON : Form.TEXT)
                        .orElseThrow(() -> new Refusal(406, "there is text/plain and application/json")));
        boolean choice = form != Form.JSON || ask.parameters().containsKey("json_fields");
        Predicate<Field> wanted = ask.parameter("fields")
                .filter(any -> choice)
                .map(text -> Set.copyOf(Arrays.asList(text.split(","))))
                .<Predicate<Field>>map(keys -> field -> keys.contains(field.key()))
                .orElse(field -> true);
        return new Wish(
                form,
                ordered(source, form).filter(wanted).toList(),
                list == OriginalList.NODES ? ask.parameter("node_id").map(ListPage::nodeId) : Optional.empty());
    }

    private static Form form(String word) {
        return switch (word.toLowerCase(Locale.ROOT)) {
            case "text", "table" -> Form.TEXT;
            case "json" -> Form.JSON;
            case "csv" -> Form.CSV;
            default -> throw Refusal.badRequest("format is json, text or csv");
        };
    }

    /** The original's fields, and for programs ours after them. */
    private Stream<Field> ordered(RecordList source, Form form) {
        Map<String, Field> fields = new LinkedHashMap<>();
        source.fields().forEach(field -> fields.put(field.key(), field));
        Set<String> keys = new LinkedHashSet<>(list.keys());
        if (form == Form.JSON) {
            keys.addAll(fields.keySet());
        }
        return keys.stream().flatMap(key -> Optional.ofNullable(fields.get(key)).stream());
    }

    /** Ids may be given without their leading zeros. */
    private static String nodeId(String text) {
        boolean isShort = text.length() < NODE_ID_DIGITS && text.chars().allMatch(Character::isDigit);
        return isShort ? "0".repeat(NODE_ID_DIGITS - text.length()) + text : text;
    }

    private CompletionStage<Answer> made(RecordList source, Wish wish, SharedState.View view) {
        Instant now = clock.instant();
        return source.rows(view.stores(), view.snapshot(), now).thenApply(all -> {
            List<Row> rows = wish.node()
                    .map(id -> all.stream()
                            .filter(row -> row.value("id").equals(JsonValue.of(id)))
                            .toList())
                    .orElse(all);
            return body(source, wish, rows).madeAt(now);
        });
    }

    private Answer body(RecordList source, Wish wish, List<Row> rows) {
        return switch (wish.form()) {
            case JSON ->
                Answer.json(
                        200,
                        new JsonArray(rows.stream()
                                .<JsonValue>map(row -> document(row, wish.fields()))
                                .toList()));
            case CSV -> {
                Answer text = Answer.text(200, source.write(RecordList.Form.CSV, rows, wish.fields()));
                yield new Answer(200, "text/csv; charset=UTF-8", text.body(), text.headers(), text.made());
            }
            case TEXT -> {
                if (wish.fields().isEmpty()) {
                    yield Answer.text(200, NO_FIELDS);
                }
                String table = source.write(RecordList.Form.TABLE, rows, wish.fields());
                yield Answer.text(200, table.stripTrailing());
            }
        };
    }

    private JsonObject document(Row row, List<Field> fields) {
        Map<String, JsonValue> members = new LinkedHashMap<>();
        fields.forEach(field -> members.put(field.key(), row.value(list.source(field.key()))));
        return new JsonObject(members);
    }
}
