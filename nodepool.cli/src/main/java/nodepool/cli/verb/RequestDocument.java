package nodepool.cli.verb;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import nodepool.api.json.JsonValue.JsonObject;
import nodepool.api.request.NodeRequest;
import nodepool.api.verdict.Account;
import nodepool.api.verdict.Reason;
import nodepool.api.verdict.Verdict;

/** Everything that is stored of a request, under the names it is stored with, and what each pool says of it. */
final class RequestDocument {

    private RequestDocument() {}

    static JsonObject of(NodeRequest request, List<Account> accounts, Instant now) {
        Document document = new Document()
                .put("id", request.id())
                .put("state", request.state().wireName())
                .put("state_time", request.stateTime())
                .put("age", Age.between(request.stateTime(), now))
                .put("node_types", request.wanted().nodeTypes())
                .put("nodes", request.nodes())
                .put("declined_by", request.declinedBy())
                .put("reuse", request.wanted().reuse())
                .put("provider", request.wanted().provider())
                .put("relative_priority", request.wanted().relativePriority())
                .put("requestor", request.asker().requestor())
                .put("tenant_name", request.asker().tenantName())
                .put("event_id", request.asker().eventId());
        request.asker().createdTime().ifPresent(at -> document.put("created_time", at));
        return document.put("requestor_data", request.asker().data())
                .putAll(
                        "answers",
                        accounts.stream().map(RequestDocument::answer).toList())
                .end();
    }

    private static JsonObject answer(Account account) {
        Document answer = new Document()
                .put("provider", account.provider())
                .put("pool", account.pool())
                .put("launcher", account.launcherId())
                .put("since", account.since())
                .put("answer", word(account.verdict()));
        reason(account.verdict())
                .ifPresent(reason -> answer.put("reason", reason.code().name())
                        .put("detail", reason.detail())
                        .put("remedy", reason.code().remedy()));
        return answer.putAll(
                        "timeline",
                        account.timeline().stream().map(RequestDocument::moment).toList())
                .end();
    }

    private static String word(Verdict verdict) {
        if (verdict instanceof Verdict.Defer) {
            return "deferred";
        }
        return verdict instanceof Verdict.Decline ? "declined" : "accepted";
    }

    private static Optional<Reason> reason(Verdict verdict) {
        if (verdict instanceof Verdict.Defer defer) {
            return Optional.of(defer.until());
        }
        return verdict instanceof Verdict.Decline decline ? Optional.of(decline.because()) : Optional.empty();
    }

    private static JsonObject moment(Account.Moment moment) {
        return new Document()
                .put("at", moment.at().toString())
                .put("what", moment.what().word())
                .put("node", moment.nodeId())
                .put("detail", Optional.of(moment.detail()).filter(text -> !text.isEmpty()))
                .put("console", moment.console())
                .end();
    }
}
