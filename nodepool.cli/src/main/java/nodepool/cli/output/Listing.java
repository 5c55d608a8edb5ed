package nodepool.cli.output;

import java.io.PrintWriter;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import nodepool.api.json.JsonValue;
import nodepool.cli.options.Arguments;
import nodepool.cli.options.Mistake;
import nodepool.cli.options.Option;
import nodepool.cli.options.Syntax;
import nodepool.cli.output.Column.Shown;

/**
 * A list a command prints, with the options that all lists have.
 *
 * @param <T> what a row shows
 * @param columns in the order of the table
 * @param filters options that leave rows out
 */
public record Listing<T>(List<Column<T>> columns, List<Filter<T>> filters) {

    private static final Comparator<JsonValue> BY_VALUE = Comparator.<JsonValue, Boolean>comparing(
                    value -> value.asNumber().isEmpty())
            .thenComparing(value -> value.asNumber().orElse(BigDecimal.ZERO))
            .thenComparing(CellText::of);

    public Listing {
        columns = List.copyOf(columns);
        filters = List.copyOf(filters);
    }

    /** The command's syntax with the options of this list. */
    public Syntax addTo(Syntax command) {
        List<Option> options = new ArrayList<>();
        if (columns.stream().anyMatch(column -> column.shown() == Shown.DETAIL)) {
            options.add(Option.flag("more columns", "--detail"));
        }
        filters.forEach(filter -> options.add(filter.option()));
        options.add(Option.oneOf(Format.WORDS, "form of the output; default: table", "--format"));
        options.add(Option.text("A,B,C", "only these columns, in this order: " + keys(", "), "--fields"));
        options.add(Option.text("COLUMN", "sort by this column; --sort=-COLUMN turns it round", "--sort"));
        options.add(Option.flag("no line of headers in tables and CSV", "--no-headers"));
        return command.with(options.toArray(Option[]::new));
    }

    private String keys(String between) {
        return String.join(between, columns.stream().map(Column::key).toList());
    }

    /** What the operator wants to see of it. */
    public View<T> view(Arguments arguments) throws Mistake {
        Format format = Format.of(arguments.value("--format").orElse("table"));
        Predicate<T> wanted = row -> true;
        for (Filter<T> filter : filters) {
            Optional<String> value = arguments.value(filter.option().name());
            if (value.isPresent()) {
                wanted = wanted.and(filter.condition().of(value.get()));
            }
        }
        return new View<>(
                format,
                shown(arguments, format),
                wanted,
                order(arguments.value("--sort")),
                !arguments.has("--no-headers"));
    }

    private List<Column<T>> shown(Arguments arguments, Format format) throws Mistake {
        Optional<String> fields = arguments.value("--fields");
        if (fields.isPresent()) {
            List<Column<T>> chosen = new ArrayList<>();
            for (String key : fields.get().split(",")) {
                chosen.add(column("--fields", key));
            }
            return chosen;
        }
        boolean detail = arguments.has("--detail");
        return columns.stream()
                .filter(column -> format.isDocument()
                        || column.shown() == Shown.ALWAYS
                        || (detail && column.shown() == Shown.DETAIL))
                .toList();
    }

    private Optional<Comparator<T>> order(Optional<String> sort) throws Mistake {
        if (sort.isEmpty()) {
            return Optional.empty();
        }
        boolean turned = sort.get().startsWith("-");
        Column<T> column = column("--sort", turned ? sort.get().substring(1) : sort.get());
        Comparator<T> order = Comparator.comparing(column.order(), BY_VALUE);
        return Optional.of(turned ? order.reversed() : order);
    }

    private Column<T> column(String option, String key) throws Mistake {
        return columns.stream()
                .filter(column -> column.key().equalsIgnoreCase(key))
                .findFirst()
                .orElseThrow(() -> new Mistake("argument " + option + ": "
                        + Mistake.invalidChoice(
                                key, columns.stream().map(Column::key).toList())));
    }

    /**
     * A list as wanted.
     *
     * @param <T> what a row shows
     */
    public record View<T>(
            Format format,
            List<Column<T>> columns,
            Predicate<T> wanted,
            Optional<Comparator<T>> order,
            boolean headers) {

        /** Writes those of the rows that are wanted; without an order of its own in the order given. */
        public void print(Collection<T> rows, PrintWriter out) {
            List<T> shown = new ArrayList<>(rows.stream().filter(wanted).toList());
            order.ifPresent(shown::sort);
            format.write(columns, shown, headers, out);
        }
    }
}
