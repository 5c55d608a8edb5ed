package nodepool.webapp.monitor;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import nodepool.api.json.JsonValue;
import nodepool.api.json.JsonValue.JsonArray;
import nodepool.api.json.JsonValue.JsonObject;
import nodepool.api.monitor.HealthCheck.Health;
import nodepool.webapp.http.Accept;
import nodepool.webapp.http.Answer;
import nodepool.webapp.http.Ask;
import nodepool.webapp.http.Page;

/** {@code /healthz}: the process answers, and how its parts are. Whether it can do its work is {@code /ready}'s matter. */
public final class HealthPage implements Page {

    private final Supplier<List<Health>> parts;

    public HealthPage(Supplier<List<Health>> parts) {
        this.parts = parts;
    }

    @Override
    public CompletionStage<Answer> answer(Ask ask) {
        if (!Accept.prefersJson(ask.accept())) {
            return CompletableFuture.completedStage(Answer.text(200, "OK"));
        }
        Map<String, JsonValue> members = new LinkedHashMap<>();
        members.put(
                "parts",
                new JsonArray(parts.get().stream()
                        .<JsonValue>map(HealthPage::document)
                        .toList()));
        return CompletableFuture.completedStage(Answer.json(200, new JsonObject(members)));
    }

    private static JsonObject document(Health health) {
        Map<String, JsonValue> members = new LinkedHashMap<>();
        members.put("part", JsonValue.of(health.part()));
        members.put("status", JsonValue.of(health.status().name().toLowerCase(Locale.ROOT)));
        members.put("text", JsonValue.of(health.text()));
        return new JsonObject(members);
    }
}
