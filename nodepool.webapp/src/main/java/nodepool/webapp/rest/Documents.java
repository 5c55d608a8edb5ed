package nodepool.webapp.rest;

import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import nodepool.api.config.Problem;
import nodepool.api.json.JsonValue;
import nodepool.api.json.JsonValue.JsonArray;
import nodepool.api.json.JsonValue.JsonBool;
import nodepool.api.json.JsonValue.JsonNull;
import nodepool.api.json.JsonValue.JsonNumber;
import nodepool.api.json.JsonValue.JsonObject;
import nodepool.api.listing.RecordList.Field;
import nodepool.api.listing.RecordList.Row;
import nodepool.api.quota.QuotaInformation;
import nodepool.api.registry.ProviderStatus;
import nodepool.api.verdict.Account;
import nodepool.api.verdict.Reason;
import nodepool.api.verdict.Verdict;

/** Values of the model as documents. */
public final class Documents {

    private Documents() {}

    /** These fields of a row. */
    public static JsonObject row(Row row, List<Field> fields) {
        Map<String, JsonValue> members = new LinkedHashMap<>();
        fields.forEach(field -> members.put(field.key(), row.value(field.key())));
        return new JsonObject(members);
    }

    static JsonObject provider(ProviderStatus.Provider provider) {
        Map<String, JsonValue> members = new LinkedHashMap<>();
        members.put("name", JsonValue.of(provider.name()));
        members.put("driver", JsonValue.of(provider.driver()));
        members.put("in_service", new JsonBool(provider.inService()));
        members.put(
                "trouble", provider.trouble().<JsonValue>map(Documents::reason).orElse(JsonNull.NULL));
        members.put("limits", amounts(provider.limits()));
        members.put(
                "pools",
                new JsonArray(provider.pools().stream()
                        .<JsonValue>map(pool -> pool(provider.name(), pool))
                        .toList()));
        return new JsonObject(members);
    }

    static JsonObject pool(String provider, ProviderStatus.Pool pool) {
        Map<String, JsonValue> members = new LinkedHashMap<>();
        members.put("provider", JsonValue.of(provider));
        members.put("name", JsonValue.of(pool.name()));
        members.put("labels", JsonArray.ofTexts(pool.labels().stream().sorted().toList()));
        members.put("limits", amounts(pool.limits()));
        members.put("used", amounts(pool.used()));
        members.put("room", amounts(pool.room()));
        return new JsonObject(members);
    }

    /** What is limited; what is not is left out. */
    private static JsonObject amounts(QuotaInformation quota) {
        Map<String, JsonValue> members = new LinkedHashMap<>();
        quota.amounts().forEach((name, amount) -> {
            if (!amount.isInfinite() && !amount.isNaN()) {
                members.put(name, number(amount));
            }
        });
        return new JsonObject(members);
    }

    private static JsonValue number(double amount) {
        return amount == Math.rint(amount) && Math.abs(amount) < Long.MAX_VALUE
                ? JsonValue.of((long) amount)
                : new JsonNumber(Double.toString(amount));
    }

    static JsonObject reason(Reason reason) {
        Map<String, JsonValue> members = new LinkedHashMap<>();
        members.put("code", JsonValue.of(word(reason.code())));
        members.put("kind", JsonValue.of(word(reason.kind())));
        members.put("detail", JsonValue.of(reason.detail()));
        members.put("remedy", JsonValue.of(reason.code().remedy()));
        return new JsonObject(members);
    }

    /** An answer and its reason, if it needs one. */
    private static JsonObject verdict(Verdict verdict) {
        Map<String, JsonValue> members = new LinkedHashMap<>();
        if (verdict instanceof Verdict.Defer defer) {
            members.put("answer", JsonValue.of("defer"));
            members.put("reason", reason(defer.until()));
        } else if (verdict instanceof Verdict.Decline decline) {
            members.put("answer", JsonValue.of("decline"));
            members.put("reason", reason(decline.because()));
        } else {
            members.put("answer", JsonValue.of("accept"));
            members.put("reason", JsonNull.NULL);
        }
        return new JsonObject(members);
    }

    /** A pool's answer to a request, without what it has done. */
    public static JsonObject judged(String request, String provider, String pool, Verdict verdict) {
        Map<String, JsonValue> members = new LinkedHashMap<>();
        members.put("request", JsonValue.of(request));
        members.put("provider", JsonValue.of(provider));
        members.put("pool", JsonValue.of(pool));
        members.put("verdict", verdict(verdict));
        return new JsonObject(members);
    }

    static JsonObject account(Account account) {
        Map<String, JsonValue> members = new LinkedHashMap<>();
        members.put("provider", JsonValue.of(account.provider()));
        members.put("pool", JsonValue.of(account.pool()));
        members.put("launcher", JsonValue.of(account.launcherId()));
        members.put("verdict", verdict(account.verdict()));
        members.put("since", time(account.since()));
        members.put(
                "timeline",
                new JsonArray(account.timeline().stream()
                        .<JsonValue>map(Documents::moment)
                        .toList()));
        return new JsonObject(members);
    }

    private static JsonObject moment(Account.Moment moment) {
        Map<String, JsonValue> members = new LinkedHashMap<>();
        members.put("at", time(moment.at()));
        members.put("what", JsonValue.of(moment.what().word()));
        members.put("node", JsonValue.ofNullable(moment.nodeId()));
        members.put("detail", JsonValue.of(moment.detail()));
        members.put("console", JsonValue.ofNullable(moment.console()));
        return new JsonObject(members);
    }

    static JsonObject problem(Problem problem) {
        Map<String, JsonValue> members = new LinkedHashMap<>();
        members.put("severity", JsonValue.of(word(problem.severity())));
        members.put("file", JsonValue.of(problem.at().file()));
        members.put("line", JsonValue.of(problem.at().line()));
        members.put("column", JsonValue.of(problem.at().column()));
        members.put("path", JsonValue.of(problem.path()));
        members.put("message", JsonValue.of(problem.message()));
        return new JsonObject(members);
    }

    /** ISO 8601, in UTC. */
    private static JsonValue time(Instant at) {
        return JsonValue.of(at.toString());
    }

    private static String word(Enum<?> constant) {
        return constant.name().toLowerCase(java.util.Locale.ROOT).replace('_', '-');
    }
}
