package nodepool.cli.verb;

import java.io.PrintWriter;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import nodepool.api.node.Node;
import nodepool.api.registry.Registration;
import nodepool.api.request.NodeRequest;
import nodepool.api.store.Snapshot;
import nodepool.api.verdict.Account;
import nodepool.api.verdict.Reason;
import nodepool.api.verdict.Verdict;
import nodepool.cli.options.Positional;
import nodepool.cli.options.Syntax;

/** {@code explain}: why a request waits or has failed, and what was done for it, in plain words. */
final class ExplainRequest implements Verb {

    private static final DateTimeFormatter CLOCK =
            DateTimeFormatter.ofPattern("HH:mm:ss.SSS").withZone(ZoneId.systemDefault());

    private final Syntax syntax = Verb.named("explain", "say why a node request waits, and what was done for it")
            .with(Positional.one("REQUEST", "id of the request"))
            .example("nodepool explain 200-0000000012");

    @Override
    public Syntax syntax() {
        return syntax;
    }

    @Override
    public int run(Call call) throws CommandException {
        String id = call.arguments().word();
        Snapshot snapshot = call.context().snapshot();
        Optional<NodeRequest> request = snapshot.request(id);
        List<Account> accounts =
                call.context().await(call.context().stores().accounts().read(id));
        if (request.isEmpty() && accounts.isEmpty()) {
            throw CommandException.failed("Request " + id + " not found");
        }
        PrintWriter out = call.out();
        request.ifPresentOrElse(
                found -> describe(found, snapshot, call),
                () -> out.println("Request " + id + " is gone; this is what is remembered of it."));
        for (Account account : accounts) {
            answer(account, request, call.now(), out);
        }
        timeline(accounts, out);
        return 0;
    }

    private static void describe(NodeRequest request, Snapshot snapshot, Call call) {
        PrintWriter out = call.out();
        out.printf(
                "Request %s is %s for %s.%n",
                request.id(), request.state().wireName(), Age.inWords(request.stateTime(), call.now()));
        out.printf("  asked for by  %s%n", request.asker().requestor().orElse("(unknown)"));
        out.printf("  wants         %s%n", String.join(", ", request.wanted().nodeTypes()));
        request.wanted().provider().ifPresent(wish -> out.printf("  prefers       provider %s%n", wish));
        for (Node node : snapshot.nodesAllocatedTo(request.id())) {
            out.printf(
                    "  node          %s %s at %s for %s%n",
                    node.id(),
                    node.state().wireName(),
                    node.place().provider().orElse("?"),
                    Age.inWords(node.stateTime(), call.now()));
        }
        List<Registration.Pool> pools = snapshot.components().stream()
                .flatMap(component -> component.pool().stream())
                .toList();
        long able = pools.stream()
                .filter(pool ->
                        pool.supportedLabels().containsAll(request.wanted().nodeTypes()))
                .count();
        out.printf("  pools         %d registered, %d of them have all of its labels%n", pools.size(), able);
    }

    private static void answer(Account account, Optional<NodeRequest> request, Instant now, PrintWriter out) {
        boolean over = request.filter(open -> !open.state().isFinal()).isEmpty();
        String since = Age.inWords(account.since(), now);
        out.printf("%nPool %s of provider %s:%n", account.pool(), account.provider());
        if (account.verdict() instanceof Verdict.Defer defer) {
            reason(over ? "deferred it" : "has deferred it for " + since, defer.until(), out);
        } else if (account.verdict() instanceof Verdict.Decline decline) {
            reason("declined it", decline.because(), out);
        } else {
            out.printf("  accepted it %s ago%n", since);
        }
    }

    private static void reason(String what, Reason reason, PrintWriter out) {
        out.printf("  %s: %s%n", what, reason.code());
        if (!reason.detail().isEmpty()) {
            out.printf("  %s%n", reason.detail());
        }
        out.printf("  to change it: %s%n", reason.code().remedy());
    }

    private record Line(Account account, Account.Moment moment) {}

    private static void timeline(List<Account> accounts, PrintWriter out) {
        List<Line> lines = new ArrayList<>();
        accounts.forEach(account -> account.timeline().forEach(moment -> lines.add(new Line(account, moment))));
        lines.sort(Comparator.comparing(line -> line.moment().at()));
        if (!lines.isEmpty()) {
            out.printf("%nWhat happened:%n");
        }
        for (Line line : lines) {
            Account.Moment moment = line.moment();
            out.printf(
                    "  %s  %s-%s  %s%s%s%n",
                    CLOCK.format(moment.at()),
                    line.account().provider(),
                    line.account().pool(),
                    moment.what().word(),
                    moment.nodeId().map(node -> " " + node).orElse(""),
                    moment.detail().isEmpty() ? "" : ": " + moment.detail());
            moment.console().ifPresent(text -> text.lines().forEach(console -> out.printf("      | %s%n", console)));
        }
    }
}
