package nodepool.webapp.monitor;

import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import nodepool.api.monitor.MetricsText;
import nodepool.webapp.http.Answer;
import nodepool.webapp.http.Ask;
import nodepool.webapp.http.Page;
import nodepool.webapp.http.Refusal;

/** {@code /metrics}: what was measured in this process, as a Prometheus server reads it. */
public final class MetricsPage implements Page {

    private final Supplier<Optional<MetricsText>> metrics;

    public MetricsPage(Supplier<Optional<MetricsText>> metrics) {
        this.metrics = metrics;
    }

    @Override
    public CompletionStage<Answer> answer(Ask ask) {
        String text = metrics.get()
                .orElseThrow(() -> Refusal.notFound("nothing is measured here"))
                .text();
        return CompletableFuture.completedStage(new Answer(
                200, MetricsText.CONTENT_TYPE, text.getBytes(StandardCharsets.UTF_8), Map.of(), Optional.empty()));
    }
}
