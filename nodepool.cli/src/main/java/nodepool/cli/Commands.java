package nodepool.cli;

import java.io.PrintWriter;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import nodepool.api.command.Command;
import nodepool.api.config.ConfigurationReader;
import nodepool.api.config.Problem;
import nodepool.api.json.JsonValue;
import nodepool.api.node.Node;
import nodepool.api.node.NodeState;
import nodepool.api.request.NodeRequest;
import nodepool.api.store.LockedNode;
import nodepool.api.store.Snapshot;

/** Every command of this version. */
final class Commands {

    static final long TIMEOUT_SECONDS = 10;

    private final CommandContext context;

    Commands(CommandContext context) {
        this.context = context;
    }

    List<Command> all() {
        return List.of(
                command("list", "list nodes", "[--detail]", this::list),
                command("request-list", "list the current node requests", "", this::requestList),
                command("info", "Show provider data from zookeeper", "PROVIDER", this::info),
                command("config-validate", "Validate configuration file", "", this::configValidate),
                command("delete", "place a node in the DELETE state", "ID", this::delete),
                command("hold", "place a node in the HOLD state", "ID", this::hold),
                command("request", "ask for nodes", "LABEL... [--wait] [--json] [--priority PPP]", this::request));
    }

    /** The work of one command. */
    private interface Work {
        int run(List<String> arguments, PrintWriter out, PrintWriter err) throws CommandException;
    }

    private static Command command(String name, String summary, String usage, Work work) {
        return new Command() {
            @Override
            public String name() {
                return name;
            }

            @Override
            public String summary() {
                return summary;
            }

            @Override
            public int run(List<String> arguments, PrintWriter out, PrintWriter err) {
                if (arguments.contains("-h") || arguments.contains("--help")) {
                    out.println("usage: nodepool " + name + " [-h] " + usage + "\n\n" + summary);
                    out.flush();
                    return 0;
                }
                try {
                    return work.run(arguments, out, err);
                } catch (CommandException e) {
                    if (e.exitCode() == 2) {
                        err.println("usage: nodepool " + name + " [-h] " + usage);
                        err.println("nodepool " + name + ": error: " + e.getMessage());
                    } else {
                        (e.exitCode() == 1 ? out : err).println(e.getMessage());
                    }
                    return e.exitCode();
                } finally {
                    out.flush();
                    err.flush();
                }
            }
        };
    }

    private int list(List<String> arguments, PrintWriter out, PrintWriter err) throws CommandException {
        boolean detail = flag(arguments, "--detail");
        none(arguments, "--detail");
        Snapshot snapshot = context.snapshot();
        Instant now = context.clock().instant();
        List<String> header = new ArrayList<>(
                List.of("ID", "Provider", "Label", "Server ID", "Public IPv4", "IPv6", "State", "Age", "Locked"));
        if (detail) {
            header.addAll(List.of(
                    "Pool",
                    "Hostname",
                    "Private IPv4",
                    "AZ",
                    "Username",
                    "Port",
                    "Launcher",
                    "Allocated To",
                    "Hold Job",
                    "Comment",
                    "User Data",
                    "Driver Data"));
        }
        Table table = new Table(header);
        for (Node node : snapshot.nodes()) {
            table.row(NodeRow.of(node, snapshot.isLocked(node.id()), now, detail));
        }
        table.print(out);
        return 0;
    }

    private int requestList(List<String> arguments, PrintWriter out, PrintWriter err) throws CommandException {
        none(arguments);
        Table table = new Table(
                "Request ID", "Priority", "State", "Requestor", "Node Types", "Nodes", "Declined By", "Event ID");
        context.snapshot().requests().stream()
                .sorted(java.util.Comparator.comparing(NodeRequest::id))
                .forEach(request -> table.row(List.of(
                        request.id(),
                        Integer.toString(request.wanted().relativePriority()),
                        request.state().wireName(),
                        request.asker().requestor().orElse(""),
                        String.join(",", request.wanted().nodeTypes()),
                        String.join(",", request.nodes()),
                        String.join(",", request.declinedBy()),
                        request.asker().eventId().orElse(""))));
        table.print(out);
        return 0;
    }

    private int info(List<String> arguments, PrintWriter out, PrintWriter err) throws CommandException {
        String provider = one(arguments, "PROVIDER");
        Snapshot snapshot = context.snapshot();
        out.println("ZooKeeper data for provider " + provider);
        out.println();
        out.println("Image data:");
        Table images = new Table("Image Name", "Build ID", "Upload IDs");
        for (String image : new java.util.TreeSet<>(snapshot.images())) {
            snapshot.builds(image).forEach(build -> {
                List<String> uploads = snapshot.uploads(image).stream()
                        .filter(upload -> upload.provider().equals(provider)
                                && upload.buildId().equals(build.id()))
                        .map(upload -> upload.id())
                        .sorted()
                        .toList();
                if (!uploads.isEmpty()) {
                    images.row(List.of(image, build.id(), String.join(",", uploads)));
                }
            });
        }
        images.print(out);
        out.println();
        out.println("Nodes:");
        Table nodes = new Table("ID", "Server ID");
        snapshot.nodesOf(provider)
                .forEach(node ->
                        nodes.row(List.of(node.id(), node.machine().externalId().orElse(""))));
        nodes.print(out);
        return 0;
    }

    private int configValidate(List<String> arguments, PrintWriter out, PrintWriter err) throws CommandException {
        none(arguments);
        ConfigurationReader.Result result = context.readConfiguration();
        int errors = 0;
        int warnings = 0;
        for (Problem problem : result.problems()) {
            boolean error =
                    problem.severity() == Problem.Severity.ERROR || problem.severity() == Problem.Severity.UNKNOWN_KEY;
            errors += error ? 1 : 0;
            warnings += problem.severity() == Problem.Severity.WARNING ? 1 : 0;
            if (problem.severity() != Problem.Severity.NOTICE) {
                out.printf(
                        "%s: %s: %s%s%n",
                        problem.at(),
                        error ? "error" : "warning",
                        problem.path().isEmpty() ? "" : problem.path() + ": ",
                        problem.message());
            }
        }
        if (errors + warnings > 0) {
            err.printf("%d errors, %d warnings%n", errors, warnings);
        }
        return errors > 0 ? 1 : 0;
    }

    private int delete(List<String> arguments, PrintWriter out, PrintWriter err) throws CommandException {
        return change(one(arguments, "ID"), NodeState.DELETING, out);
    }

    private int hold(List<String> arguments, PrintWriter out, PrintWriter err) throws CommandException {
        return change(one(arguments, "ID"), NodeState.HOLD, out);
    }

    private int change(String id, NodeState state, PrintWriter out) throws CommandException {
        Snapshot snapshot = context.snapshot();
        if (snapshot.node(id).isEmpty()) {
            throw new CommandException(1, "Node " + id + " not found");
        }
        LockedNode locked = await(context.stores().nodes().tryLock(id))
                .orElseThrow(() -> new CommandException(
                        1,
                        "Node " + id + " is locked by "
                                + snapshot.contenders(id).stream().findFirst().orElse("someone else")));
        Node changed = locked.node().withState(state, context.clock().instant());
        await(context.stores().nodes().finish(locked.with(changed)));
        Table table =
                new Table("ID", "Provider", "Label", "Server ID", "Public IPv4", "IPv6", "State", "Age", "Locked");
        table.row(NodeRow.of(changed, false, context.clock().instant(), false));
        table.print(out);
        return 0;
    }

    private int request(List<String> arguments, PrintWriter out, PrintWriter err) throws CommandException {
        boolean wait = flag(arguments, "--wait");
        boolean json = flag(arguments, "--json");
        String priority = "200";
        List<String> labels = new ArrayList<>();
        for (int i = 0; i < arguments.size(); i++) {
            String argument = arguments.get(i);
            if (argument.equals("--priority") && i + 1 < arguments.size()) {
                priority = arguments.get(++i);
            } else if (!argument.startsWith("-")) {
                labels.add(argument);
            } else if (!argument.equals("--wait") && !argument.equals("--json")) {
                throw new CommandException(2, "unrecognized arguments: " + argument);
            }
        }
        if (labels.isEmpty()) {
            throw new CommandException(2, "the following arguments are required: LABEL");
        }
        if (!priority.matches("\\d{3}")) {
            throw new CommandException(2, "argument --priority: three digits, not " + priority);
        }
        Snapshot before = context.snapshot();
        boolean served = before.components().stream().anyMatch(one -> one.pool().isPresent());
        if (!served && wait) {
            err.println("no launcher is registered; waiting for one");
            err.flush();
        }
        NodeRequest draft = NodeRequest.draft(
                NodeRequest.Wanted.of(labels),
                NodeRequest.Asker.named("nodepool-cli"),
                context.clock().instant());
        NodeRequest made = await(context.stores().requests().create(draft, priority, false));
        NodeRequest last = wait ? awaitEnd(made.id()) : made;
        tell(last, json, out);
        return wait && last.nodes().isEmpty() ? 1 : 0;
    }

    private NodeRequest awaitEnd(String id) throws CommandException {
        return new RequestWatch(context.stores().snapshots(), id).await();
    }

    private void tell(NodeRequest request, boolean json, PrintWriter out) throws CommandException {
        if (json) {
            out.printf(
                    "{\"id\": \"%s\", \"state\": \"%s\", \"nodes\": [%s]}%n",
                    request.id(),
                    request.state().wireName(),
                    String.join(
                            ", ",
                            request.nodes().stream().map(id -> "\"" + id + "\"").toList()));
            return;
        }
        out.println("Request " + request.id() + " " + request.state().wireName());
        Snapshot snapshot = context.snapshot();
        for (String id : request.nodes()) {
            String address = snapshot.node(id)
                    .flatMap(node -> node.addresses().interfaceIp())
                    .orElse("");
            out.println("Node " + id + " " + address + "   (give it back with: nodepool delete " + id + ")");
        }
    }

    static <T> T await(CompletionStage<T> stage) throws CommandException {
        try {
            return stage.toCompletableFuture().get(TIMEOUT_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new CommandException(1, "interrupted");
        } catch (ExecutionException e) {
            throw new CommandException(3, "ZooKeeper: " + String.valueOf(e.getCause()));
        } catch (TimeoutException e) {
            throw new CommandException(3, "ZooKeeper did not answer within " + TIMEOUT_SECONDS + " s");
        }
    }

    private static boolean flag(List<String> arguments, String name) {
        return arguments.contains(name);
    }

    private static void none(List<String> arguments, String... allowed) throws CommandException {
        for (String argument : arguments) {
            if (!List.of(allowed).contains(argument)) {
                throw new CommandException(2, "unrecognized arguments: " + argument);
            }
        }
    }

    private static String one(List<String> arguments, String name) throws CommandException {
        if (arguments.isEmpty()) {
            throw new CommandException(2, "the following arguments are required: " + name);
        }
        if (arguments.size() > 1) {
            throw new CommandException(
                    2, "unrecognized arguments: " + String.join(" ", arguments.subList(1, arguments.size())));
        }
        return arguments.get(0);
    }

    /** One node as a row. */
    private static final class NodeRow {

        static List<String> of(Node node, boolean locked, Instant now, boolean detail) {
            List<String> cells = new ArrayList<>(List.of(
                    node.id(),
                    node.place().provider().orElse(""),
                    String.join(",", node.types()),
                    node.machine().externalId().orElse(""),
                    node.addresses().publicIpv4().orElse(""),
                    node.addresses().publicIpv6().orElse(""),
                    node.state().wireName(),
                    age(Duration.between(node.stateTime(), now)),
                    locked ? "locked" : "unlocked"));
            if (detail) {
                cells.addAll(List.of(
                        node.place().pool().orElse(""),
                        node.machine().hostname().orElse(""),
                        node.addresses().privateIpv4().orElse(""),
                        node.place().az().orElse(""),
                        node.connection().username().orElse(""),
                        port(node),
                        node.machine().launcher().orElse(""),
                        node.allocation().allocatedTo().orElse(""),
                        node.use().holdJob().orElse(""),
                        node.use().comment().orElse(""),
                        json(node.use().userData()),
                        json(node.machine().driverData())));
            }
            return cells;
        }

        private static String port(Node node) {
            return node.connection().portNumber().isPresent()
                    ? Integer.toString(node.connection().portNumber().getAsInt())
                    : "redacted";
        }

        private static String json(JsonValue value) {
            return value.isNull()
                    ? ""
                    : Optional.of(value).flatMap(JsonValue::asText).orElse(value.toString());
        }

        private static String age(Duration age) {
            Duration shown = age.isNegative() ? Duration.ZERO : age;
            return "%02d:%02d:%02d:%02d"
                    .formatted(shown.toDays(), shown.toHoursPart(), shown.toMinutesPart(), shown.toSecondsPart());
        }
    }
}
