package nodepool.cli.verb;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import nodepool.api.json.JsonValue;
import nodepool.api.json.JsonValue.JsonArray;
import nodepool.api.json.JsonValue.JsonObject;
import nodepool.api.node.Node;
import nodepool.api.request.NodeRequest;
import nodepool.api.store.Snapshot;
import nodepool.api.store.SnapshotSource;
import nodepool.cli.options.Arguments;
import nodepool.cli.options.Mistake;
import nodepool.cli.options.Option;
import nodepool.cli.options.Positional;
import nodepool.cli.options.Syntax;
import nodepool.cli.output.JsonWriting;

/** {@code request}: ask for nodes as any requestor does. */
final class MakeRequest implements Verb {

    private final Syntax syntax = Verb.named("request", "ask for nodes")
            .with(
                    Option.flag("wait until the request is fulfilled or failed", "--wait"),
                    Option.flag("print the request as JSON", "--json"),
                    Option.text("PPP", "three digits, lower is served first; default: 200", "--priority"))
            .with(Positional.some("LABEL", "one node of this label each"))
            .example("nodepool request small --wait")
            .example("nodepool request small small big --priority 100 --json");

    @Override
    public Syntax syntax() {
        return syntax;
    }

    @Override
    public int run(Call call) throws CommandException, Mistake {
        Arguments arguments = call.arguments();
        boolean wait = arguments.has("--wait");
        String priority = arguments.value("--priority").orElse("200");
        if (!priority.matches("\\d{3}")) {
            throw new Mistake("argument --priority: three digits, not '" + priority + "'");
        }
        Snapshot before = call.context().snapshot();
        boolean served = before.components().stream().anyMatch(one -> one.pool().isPresent());
        if (!served && wait) {
            call.err().println("no launcher is registered; waiting for one");
            call.err().flush();
        }
        NodeRequest draft = NodeRequest.draft(
                NodeRequest.Wanted.of(arguments.words()), NodeRequest.Asker.named("nodepool-cli"), call.now());
        NodeRequest made =
                call.context().await(call.context().stores().requests().create(draft, priority, false));
        NodeRequest last = wait ? awaitEnd(call, made.id()) : made;
        tell(call, last);
        return wait && last.nodes().isEmpty() ? 1 : 0;
    }

    private static NodeRequest awaitEnd(Call call, String id) throws CommandException {
        SnapshotSource snapshots = call.context().stores().snapshots();
        // From here on every snapshot shows the request, unless somebody has removed it.
        call.context().await(snapshots.caughtUp());
        End end = SnapshotWatch.until(call.context(), "waiting for request " + id, now -> {
            Optional<NodeRequest> request = now.request(id);
            boolean waits = request.filter(one -> !one.state().isFinal()).isPresent();
            return waits ? Optional.empty() : Optional.of(new End(request));
        });
        return end.request().orElseThrow(() -> CommandException.failed("Request " + id + " was removed"));
    }

    /** @param request as answered; absent if somebody removed it */
    private record End(Optional<NodeRequest> request) {}

    private static void tell(Call call, NodeRequest request) throws CommandException {
        if (call.arguments().has("--json")) {
            Map<String, JsonValue> members = new LinkedHashMap<>();
            members.put("id", JsonValue.of(request.id()));
            members.put("state", JsonValue.of(request.state().wireName()));
            members.put("nodes", JsonArray.ofTexts(request.nodes()));
            call.out().println(JsonWriting.compact(new JsonObject(members)));
            return;
        }
        call.out().println("Request " + request.id() + " " + request.state().wireName());
        List<String> ids = request.nodes();
        Snapshot snapshot = call.context().snapshot();
        for (String id : ids) {
            String address = snapshot.node(id)
                    .map(Node::addresses)
                    .flatMap(Node.Addresses::interfaceIp)
                    .orElse("");
            call.out().println("Node " + id + " " + address + "   (give it back with: nodepool delete " + id + ")");
        }
    }
}
