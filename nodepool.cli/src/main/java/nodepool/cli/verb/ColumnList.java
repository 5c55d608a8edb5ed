package nodepool.cli.verb;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.stream.Collectors;
import nodepool.api.json.JsonValue;
import nodepool.api.json.JsonValue.JsonNull;
import nodepool.api.listing.RecordList;
import nodepool.api.store.Snapshot;
import nodepool.api.store.Stores;
import nodepool.cli.output.Column;
import nodepool.cli.output.Column.Shown;
import nodepool.cli.output.Format;
import nodepool.cli.output.Listing;
import org.jspecify.annotations.Nullable;

/**
 * A command's list, for other bundles to show.
 *
 * @param <T> what a row shows
 */
final class ColumnList<T> implements RecordList {

    /** Finds what a list shows. */
    @FunctionalInterface
    interface Search<T> {
        CompletionStage<List<T>> rows(Stores stores, Snapshot snapshot, Instant now);
    }

    /** A row that still knows what it shows. */
    private record ColumnRow<T>(T shown, ColumnList<T> list) implements Row {

        @Override
        public JsonValue value(String key) {
            @Nullable Column<T> column = list.columns.get(key);
            return column == null ? JsonNull.NULL : column.value().apply(shown);
        }
    }

    private final String name;
    private final Map<String, Column<T>> columns;
    private final List<Field> fields;
    private final Search<T> search;

    ColumnList(String name, Listing<T> listing, Search<T> search) {
        this.name = name;
        this.columns = listing.columns().stream().collect(Collectors.toMap(Column::key, Function.identity()));
        this.fields = listing.columns().stream()
                .map(column -> new Field(column.key(), column.header(), column.shown() != Shown.DOCUMENTS))
                .toList();
        this.search = search;
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public List<Field> fields() {
        return fields;
    }

    @Override
    public CompletionStage<List<Row>> rows(Stores stores, Snapshot snapshot, Instant now) {
        return search.rows(stores, snapshot, now)
                .thenApply(found -> found.stream()
                        .<Row>map(one -> new ColumnRow<>(one, this))
                        .toList());
    }

    @Override
    public String write(Form form, List<Row> rows, List<Field> wanted) {
        StringWriter text = new StringWriter();
        PrintWriter out = new PrintWriter(text);
        List<Column<T>> shown = wanted.stream()
                .flatMap(field -> Optional.ofNullable(columns.get(field.key())).stream())
                .toList();
        List<T> records = rows.stream().map(this::shownBy).toList();
        (form == Form.TABLE ? Format.TABLE : Format.CSV).write(shown, records, true, out);
        out.flush();
        return text.toString();
    }

    @SuppressWarnings("unchecked")
    private T shownBy(Row row) {
        if (row instanceof ColumnRow<?> ours && ours.list() == this) {
            return (T) ours.shown();
        }
        throw new IllegalArgumentException("a row of another list than " + name);
    }
}
