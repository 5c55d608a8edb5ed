package nodepool.webapp.lists;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import nodepool.api.json.JsonValue;
import nodepool.api.json.JsonValue.JsonArray;
import nodepool.api.json.JsonValue.JsonBool;
import nodepool.api.json.JsonValue.JsonObject;
import nodepool.webapp.http.Accept;
import nodepool.webapp.http.Answer;
import nodepool.webapp.http.Ask;
import nodepool.webapp.http.Page;

/** {@code /ready}: 200 when every provider has started, else 503 with the reasons. */
public final class ReadyPage implements Page {

    private final Readiness readiness;

    public ReadyPage(Readiness readiness) {
        this.readiness = readiness;
    }

    @Override
    public CompletionStage<Answer> answer(Ask ask) {
        List<String> missing = readiness.missing();
        int status = missing.isEmpty() ? 200 : 503;
        Answer answer;
        if (Accept.prefersJson(ask.accept())) {
            Map<String, JsonValue> members = new LinkedHashMap<>();
            members.put("ready", new JsonBool(missing.isEmpty()));
            members.put("reasons", JsonArray.ofTexts(missing));
            answer = Answer.json(status, new JsonObject(members));
        } else {
            answer = Answer.text(status, missing.isEmpty() ? "OK" : String.join("\n", missing) + "\n");
        }
        return CompletableFuture.completedStage(status == 503 ? answer.with("Retry-After", "5") : answer);
    }
}
