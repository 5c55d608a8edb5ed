package nodepool.cli.output;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import nodepool.api.json.JsonValue;
import nodepool.api.json.JsonValue.JsonArray;
import nodepool.api.json.JsonValue.JsonObject;

/** The forms in which a list can be written. */
public enum Format {
    TABLE,
    JSON,
    YAML,
    CSV;

    static final List<String> WORDS = List.of("table", "json", "yaml", "csv");

    static Format of(String word) {
        return valueOf(word.toUpperCase(Locale.ROOT));
    }

    /** Whether programs that read it take fields by name, so that more fields do no harm. */
    boolean isDocument() {
        return this == JSON || this == YAML;
    }

    /** Writes these columns of these rows. */
    public <T> void write(List<Column<T>> columns, List<T> rows, boolean headers, PrintWriter out) {
        switch (this) {
            case TABLE -> {
                TableDrawing table =
                        new TableDrawing(columns.stream().map(Column::header).toList());
                rows.forEach(row -> table.row(cells(columns, row)));
                table.print(headers, out);
            }
            case CSV -> {
                if (headers) {
                    out.println(
                            CsvWriting.line(columns.stream().map(Column::key).toList()));
                }
                rows.forEach(row -> out.println(CsvWriting.line(cells(columns, row))));
            }
            case JSON -> {
                List<String> lines = new ArrayList<>();
                rows.forEach(row -> lines.add("  " + JsonWriting.compact(document(columns, row))));
                out.println(lines.isEmpty() ? "[]" : "[\n" + String.join(",\n", lines) + "\n]");
            }
            case YAML ->
                out.print(YamlWriting.of(new JsonArray(rows.stream()
                        .<JsonValue>map(row -> document(columns, row))
                        .toList())));
        }
    }

    private static <T> List<String> cells(List<Column<T>> columns, T row) {
        return columns.stream().map(column -> column.text().apply(row)).toList();
    }

    private static <T> JsonObject document(List<Column<T>> columns, T row) {
        Map<String, JsonValue> members = new LinkedHashMap<>();
        columns.forEach(column -> members.put(column.key(), column.value().apply(row)));
        return new JsonObject(members);
    }
}
