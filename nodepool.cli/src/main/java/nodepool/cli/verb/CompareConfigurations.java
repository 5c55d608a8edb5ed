package nodepool.cli.verb;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import nodepool.api.config.Configuration;
import nodepool.api.json.JsonValue;
import nodepool.api.json.JsonValue.JsonNull;
import nodepool.cli.options.Mistake;
import nodepool.cli.options.Positional;
import nodepool.cli.options.Syntax;
import nodepool.cli.output.Column;
import nodepool.cli.output.Listing;
import nodepool.cli.verb.Leaves.Leaf;

/** {@code config-diff}: which values differ between two configurations, after everything is worked out. */
final class CompareConfigurations implements Verb {

    private record Difference(String path, Optional<Leaf> before, Optional<Leaf> after) {}

    private static final Listing<Difference> LISTING = new Listing<>(
            List.of(
                    Column.word("path", "Path", Difference::path),
                    Column.of("running", "Running", row -> shown(row.before)),
                    Column.of("new", "New", row -> shown(row.after))),
            List.of());

    private final Syntax syntax = LISTING.addTo(
                    Verb.named("config-diff", "list the values in which a changed configuration differs"))
            .with(Positional.one("NEW.yaml", "the changed configuration; -c names the running one"))
            .example("nodepool config-diff /etc/nodepool/nodepool.yaml.new");

    @Override
    public Syntax syntax() {
        return syntax;
    }

    @Override
    public int run(Call call) throws CommandException, Mistake {
        Listing.View<Difference> view = LISTING.view(call.arguments());
        Configuration running = Configurations.usable(call.context().validate(), call);
        Configuration wanted = Configurations.usable(
                call.context().read(Path.of(call.arguments().word())), call);
        Map<String, Leaf> before = Leaves.of(running);
        Map<String, Leaf> after = Leaves.of(wanted);
        TreeSet<String> paths = new TreeSet<>(before.keySet());
        paths.addAll(after.keySet());
        List<Difference> differences = new ArrayList<>();
        for (String path : paths) {
            Optional<Leaf> old = Optional.ofNullable(before.get(path));
            Optional<Leaf> changed = Optional.ofNullable(after.get(path));
            if (!old.equals(changed)) {
                differences.add(new Difference(path, old, changed));
            }
        }
        view.print(differences, call.out());
        return 0;
    }

    private static JsonValue shown(Optional<Leaf> leaf) {
        return leaf.map(Leaf::shown).orElse(JsonNull.NULL);
    }
}
