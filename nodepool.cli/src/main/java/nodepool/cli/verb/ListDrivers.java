package nodepool.cli.verb;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import nodepool.api.config.ProviderEntry;
import nodepool.api.driver.Driver;
import nodepool.cli.options.Mistake;
import nodepool.cli.options.Syntax;
import nodepool.cli.output.Column;
import nodepool.cli.output.Filter;
import nodepool.cli.output.Listing;

/** {@code drivers}: the drivers that are here, and those that the configuration asks for. */
final class ListDrivers implements Verb {

    private record Row(String name, Optional<Driver> driver, Optional<String> bundle, List<String> providers) {

        String state() {
            return driver.isPresent() ? "present" : "absent";
        }
    }

    private static final Listing<Row> LISTING = new Listing<>(
            List.of(
                    Column.word("name", "Driver", Row::name),
                    Column.word("state", "State", Row::state),
                    Column.text("bundle", "Bundle", Row::bundle),
                    Column.texts("providers", "Providers", Row::providers)),
            List.of(Filter.state(List.of("present", "absent"), Row::state)));

    private final Syntax syntax = LISTING.addTo(Verb.named(
                    "drivers", "list the drivers that this program has, and those that the configuration asks for"))
            .example("nodepool drivers --state absent");

    @Override
    public Syntax syntax() {
        return syntax;
    }

    @Override
    public int run(Call call) throws Mistake {
        LISTING.view(call.arguments()).print(rows(call.context()), call.out());
        return 0;
    }

    /** Names of the providers that are configured with that driver. */
    static List<String> providers(String driver, CommandContext context) {
        return context.configuration().stream()
                .flatMap(configuration -> configuration.providers().stream())
                .filter(entry -> entry.driver().equals(driver))
                .map(ProviderEntry::name)
                .sorted()
                .toList();
    }

    private static List<Row> rows(CommandContext context) {
        Map<String, Optional<Driver>> drivers = new TreeMap<>();
        context.configuration()
                .ifPresent(configuration ->
                        configuration.providers().forEach(entry -> drivers.put(entry.driver(), Optional.empty())));
        context.drivers().forEach(driver -> drivers.put(driver.name(), Optional.of(driver)));
        List<Row> rows = new ArrayList<>();
        drivers.forEach((name, driver) ->
                rows.add(new Row(name, driver, driver.flatMap(context::bundleOf), providers(name, context))));
        return rows;
    }
}
