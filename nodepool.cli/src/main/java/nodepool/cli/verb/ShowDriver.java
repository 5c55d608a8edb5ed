package nodepool.cli.verb;

import java.util.ArrayList;
import java.util.List;
import nodepool.api.config.Schema;
import nodepool.api.config.Schema.Key;
import nodepool.api.config.Schema.Type;
import nodepool.api.driver.Driver;
import nodepool.cli.options.Positional;
import nodepool.cli.options.Syntax;
import nodepool.cli.output.Column;
import nodepool.cli.output.Format;

/** {@code driver-info}: where a driver comes from, who uses it, and what may stand in its entries of the configuration. */
final class ShowDriver implements Verb {

    /** A key with what leads to it: {@code pools[].labels[].name}. */
    private record Row(String path, Key key) {}

    private static final List<Column<Row>> COLUMNS = List.of(
            Column.word("key", "Key", Row::path),
            Column.word("type", "Type", row -> word(row.key.type())),
            Column.bool("required", "Required", row -> row.key.required()),
            Column.word("description", "Description", row -> row.key.description()));

    private final Syntax syntax = Verb.named(
                    "driver-info", "show what a driver is and how its providers are configured")
            .with(Positional.one("DRIVER", "the word after driver: in the configuration"))
            .example("nodepool driver-info openstack");

    @Override
    public Syntax syntax() {
        return syntax;
    }

    @Override
    public int run(Call call) throws CommandException {
        String name = call.arguments().word();
        CommandContext context = call.context();
        Driver driver = context.drivers().stream()
                .filter(one -> one.name().equals(name))
                .findFirst()
                .orElseThrow(() -> CommandException.no("Driver " + name + " not found"));
        call.out().println("Driver " + name);
        context.bundleOf(driver).ifPresent(bundle -> call.out().println("Bundle: " + bundle));
        List<String> providers = ListDrivers.providers(name, context);
        call.out().println("Providers: " + (providers.isEmpty() ? "none" : String.join(", ", providers)));
        call.out().println("\nIn an entry under providers:");
        List<Row> rows = new ArrayList<>();
        collect(driver.getSchema(), "", rows);
        Format.TABLE.write(COLUMNS, rows, true, call.out());
        return 0;
    }

    private static void collect(Schema schema, String prefix, List<Row> rows) {
        for (Key key : schema.keys()) {
            if (key.deprecated().isEmpty()) {
                rows.add(new Row(prefix + key.name(), key));
                below(key.type(), prefix + key.name(), rows);
            }
        }
    }

    private static void below(Type type, String path, List<Row> rows) {
        if (type instanceof Type.Mapping mapping) {
            collect(mapping.schema(), path + ".", rows);
        } else if (type instanceof Type.ListOf list) {
            below(list.item(), path + "[]", rows);
        }
    }

    private static String word(Type type) {
        if (type instanceof Type.Bool) {
            return "yes or no";
        } else if (type instanceof Type.Int) {
            return "whole number";
        } else if (type instanceof Type.Numeric) {
            return "number";
        } else if (type instanceof Type.Word words) {
            return String.join(" or ", words.words());
        } else if (type instanceof Type.ListOf list) {
            return list.item() instanceof Type.Mapping ? "list" : "list of " + word(list.item());
        } else if (type instanceof Type.Mapping || type instanceof Type.MapOf) {
            return "mapping";
        } else if (type instanceof Type.Secret) {
            return "secret";
        }
        return type instanceof Type.Any ? "anything" : "text";
    }
}
