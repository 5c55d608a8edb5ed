package nodepool.zk;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import nodepool.api.json.JsonValue;
import nodepool.api.json.JsonValue.JsonArray;
import nodepool.api.json.JsonValue.JsonObject;
import nodepool.api.verdict.Account;
import nodepool.api.verdict.Reason;
import nodepool.api.verdict.Verdict;

/** How an {@link Account} is stored. */
final class AccountDocument {

    private AccountDocument() {}

    static JsonObject write(Account account) {
        Map<String, JsonValue> doc = new LinkedHashMap<>();
        doc.put("provider", JsonValue.of(account.provider()));
        doc.put("pool", JsonValue.of(account.pool()));
        doc.put("verdict", write(account.verdict()));
        doc.put("since", Fields.of(account.since()));
        doc.put(
                "timeline",
                new JsonArray(account.timeline().stream()
                        .<JsonValue>map(AccountDocument::write)
                        .toList()));
        return new JsonObject(doc);
    }

    private static JsonObject write(Verdict verdict) {
        Map<String, JsonValue> doc = new LinkedHashMap<>();
        if (verdict instanceof Verdict.Defer defer) {
            doc.put("answer", JsonValue.of("defer"));
            put(doc, defer.until());
        } else if (verdict instanceof Verdict.Decline decline) {
            doc.put("answer", JsonValue.of("decline"));
            put(doc, decline.because());
        } else {
            doc.put("answer", JsonValue.of("accept"));
        }
        return new JsonObject(doc);
    }

    private static void put(Map<String, JsonValue> doc, Reason reason) {
        doc.put("code", JsonValue.of(reason.code().name()));
        doc.put("detail", JsonValue.of(reason.detail()));
    }

    private static JsonObject write(Account.Moment moment) {
        Map<String, JsonValue> doc = new LinkedHashMap<>();
        doc.put("at", Fields.of(moment.at()));
        doc.put("what", JsonValue.of(moment.what().word()));
        moment.nodeId().ifPresent(id -> doc.put("node", JsonValue.of(id)));
        if (!moment.detail().isEmpty()) {
            doc.put("detail", JsonValue.of(moment.detail()));
        }
        moment.console().ifPresent(text -> doc.put("console", JsonValue.of(text)));
        return new JsonObject(doc);
    }

    static Account read(String launcherId, String requestId, JsonObject doc) throws MalformedDocumentException {
        List<Account.Moment> timeline = new ArrayList<>();
        if (doc.get("timeline").orElse(JsonValue.JsonNull.NULL) instanceof JsonArray moments) {
            for (JsonValue moment : moments.items()) {
                if (moment instanceof JsonObject object) {
                    moment(object).ifPresent(timeline::add);
                }
            }
        }
        return new Account(
                requestId,
                Fields.required(doc, "provider"),
                Fields.required(doc, "pool"),
                launcherId,
                verdict(doc.get("verdict").orElse(JsonValue.JsonNull.NULL)),
                Fields.instant(doc, "since").orElse(Instant.EPOCH),
                timeline);
    }

    /** What a newer version of ours may write beyond this is left out. */
    private static Optional<Account.Moment> moment(JsonObject doc) {
        Optional<String> word = Fields.text(doc, "what");
        return Arrays.stream(Account.What.values())
                .filter(what -> word.filter(what.word()::equals).isPresent())
                .findFirst()
                .map(what -> new Account.Moment(
                        Fields.instant(doc, "at").orElse(Instant.EPOCH),
                        what,
                        Fields.text(doc, "node"),
                        Fields.text(doc, "detail").orElse(""),
                        Fields.text(doc, "console")));
    }

    private static Verdict verdict(JsonValue value) throws MalformedDocumentException {
        if (!(value instanceof JsonObject doc)) {
            throw new MalformedDocumentException("has no verdict");
        }
        String answer = Fields.required(doc, "answer");
        return switch (answer) {
            case "accept" -> new Verdict.Accept();
            case "defer" -> new Verdict.Defer(reason(doc));
            case "decline" -> new Verdict.Decline(reason(doc));
            default -> throw new MalformedDocumentException("has an unknown answer " + answer);
        };
    }

    private static Reason reason(JsonObject doc) throws MalformedDocumentException {
        String name = Fields.required(doc, "code");
        for (Reason.Code code : Reason.Code.values()) {
            if (code.name().equals(name)) {
                return Reason.of(code, Fields.text(doc, "detail").orElse(""));
            }
        }
        throw new MalformedDocumentException("has an unknown code " + name);
    }
}
