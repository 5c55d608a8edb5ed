package nodepool.webapp.monitor;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import nodepool.webapp.http.Answer;
import nodepool.webapp.http.Ask;
import nodepool.webapp.http.Page;

/** {@code /healthz}: the process answers. Whether it can do its work is {@code /ready}'s matter. */
public final class HealthPage implements Page {

    @Override
    public CompletionStage<Answer> answer(Ask ask) {
        return CompletableFuture.completedStage(Answer.text(200, "OK"));
    }
}
