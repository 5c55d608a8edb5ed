package nodepool.cli.verb;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import nodepool.api.config.Configuration;
import nodepool.api.json.JsonValue.JsonArray;
import nodepool.api.json.JsonValue.JsonObject;
import nodepool.api.plan.ChangePlanner;
import nodepool.api.plan.PlannedChange;
import nodepool.cli.options.Option;
import nodepool.cli.options.Positional;
import nodepool.cli.options.Syntax;
import nodepool.cli.output.JsonWriting;

/** {@code plan}: what another configuration would change. Whoever decides when it is in force foretells it; nothing is done. */
final class PlanChange implements Verb {

    private final Syntax syntax = Verb.named(
                    "plan", "say what a changed configuration would start, stop, build, delete")
            .with(Option.oneOf(List.of("text", "json"), "form of the output; default: text", "--format"))
            .with(Positional.one("NEW.yaml", "the changed configuration; -c names the running one"))
            .example("nodepool plan /etc/nodepool/nodepool.yaml.new");

    @Override
    public Syntax syntax() {
        return syntax;
    }

    @Override
    public int run(Call call) throws CommandException {
        Path file = Path.of(call.arguments().word());
        Configuration running = Configurations.usable(call.context().validate(), call);
        Configuration wanted = Configurations.usable(call.context().read(file), call);
        ChangePlanner.Situation situation =
                new ChangePlanner.Situation(running, wanted, call.context().snapshot(), call.now());
        if (call.context().planners().isEmpty()) {
            throw CommandException.failed("neither a launcher nor a builder is here to say what it would do");
        }
        List<PlannedChange> changes = new ArrayList<>();
        call.context().planners().forEach(planner -> changes.addAll(planner.plan(situation)));
        boolean json = call.arguments().value("--format").filter("json"::equals).isPresent();
        if (json) {
            call.out().println(JsonWriting.indented(document(changes)));
        } else if (changes.isEmpty()) {
            call.out().println("Nothing would change.");
        } else {
            changes.forEach(change -> call.out().println(line(change)));
        }
        return 0;
    }

    private static String line(PlannedChange change) {
        return "%-8s %s %s%s"
                .formatted(
                        change.what().word(),
                        change.kind().word(),
                        change.name(),
                        change.detail().isEmpty() ? "" : ": " + change.detail());
    }

    private static JsonObject document(List<PlannedChange> changes) {
        List<JsonObject> items = changes.stream()
                .map(change -> new Document()
                        .put("what", change.what().word())
                        .put("kind", change.kind().word())
                        .put("name", change.name())
                        .put("detail", change.detail())
                        .end())
                .toList();
        return new JsonObject(Map.of("changes", new JsonArray(List.copyOf(items))));
    }
}
