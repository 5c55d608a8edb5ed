package nodepool.cli.verb;

import java.util.List;
import nodepool.api.json.JsonValue.JsonObject;
import nodepool.api.store.Snapshot;
import nodepool.api.verdict.Account;
import nodepool.cli.options.Option;
import nodepool.cli.options.Positional;
import nodepool.cli.options.Syntax;
import nodepool.cli.output.JsonWriting;
import nodepool.cli.output.YamlWriting;

/** {@code show}: all that is known of one node, request or image. */
final class ShowRecord implements Verb {

    private static final List<String> KINDS = List.of("node", "request", "image");

    private final Syntax syntax = Verb.named("show", "show everything about one node, request or image")
            .with(Option.oneOf(List.of("yaml", "json"), "form of the output; default: yaml", "--format"))
            .with(
                    Positional.oneOf("KIND", KINDS, "node, request or image"),
                    Positional.one("ID", "of the node or the request, name of the image"))
            .example("nodepool show node 42")
            .example("nodepool show request 200-0000000012")
            .example("nodepool show image debian --format json");

    @Override
    public Syntax syntax() {
        return syntax;
    }

    @Override
    public int run(Call call) throws CommandException {
        List<String> words = call.arguments().words();
        JsonObject document = document(words.get(0), words.get(1), call);
        boolean json = call.arguments().value("--format").filter("json"::equals).isPresent();
        call.out().print(json ? JsonWriting.indented(document) + "\n" : YamlWriting.block(document));
        return 0;
    }

    private static JsonObject document(String kind, String id, Call call) throws CommandException {
        Snapshot snapshot = call.context().snapshot();
        return switch (kind) {
            case "node" ->
                snapshot.node(NodeChange.fullId(id))
                        .map(node -> NodeDocument.of(node, snapshot, call.now()))
                        .orElseThrow(() -> CommandException.no("Node id " + id + " not found"));
            case "request" -> {
                List<Account> accounts =
                        call.context().await(call.context().stores().accounts().read(id));
                yield snapshot.request(id)
                        .map(request -> RequestDocument.of(request, accounts, call.now()))
                        .orElseThrow(() -> CommandException.no("Request " + id + " not found"));
            }
            default -> {
                if (!snapshot.images().contains(id)) {
                    throw CommandException.no("Image " + id + " not found");
                }
                yield ImageDocument.of(id, snapshot, call.now());
            }
        };
    }
}
