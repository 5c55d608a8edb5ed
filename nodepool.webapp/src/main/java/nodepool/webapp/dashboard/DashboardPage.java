package nodepool.webapp.dashboard;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import nodepool.webapp.http.Answer;
import nodepool.webapp.http.Ask;
import nodepool.webapp.http.Page;
import nodepool.webapp.http.Refusal;

/** Serves the files of the dashboard, which are known by name: no path of a question ever becomes one of a file. */
public final class DashboardPage implements Page {

    private static final String SCRIPT = "text/javascript; charset=UTF-8";

    private static final Map<String, String> FILES = Map.of(
            "/index.html", "text/html; charset=UTF-8",
            "/style.css", "text/css; charset=UTF-8",
            "/icon.svg", "image/svg+xml",
            "/app.js", SCRIPT,
            "/store.js", SCRIPT,
            "/views.js", SCRIPT,
            "/timeline.js", SCRIPT,
            "/lib/preact.mjs", SCRIPT,
            "/lib/htm.mjs", SCRIPT);

    private final Map<String, Answer> answers = new HashMap<>();

    /** @param started told as the time of the files' last change */
    public DashboardPage(Instant started) {
        FILES.forEach((path, type) ->
                answers.put(path, new Answer(200, type, read(path), Map.of(), Optional.empty()).madeAt(started)));
        answers.put("/", Objects.requireNonNull(answers.get("/index.html")));
    }

    private static byte[] read(String path) {
        String name = path.substring(1);
        try (InputStream in = DashboardPage.class.getResourceAsStream(name)) {
            return Objects.requireNonNull(in, name).readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public CompletionStage<Answer> answer(Ask ask) {
        return Optional.ofNullable(answers.get(ask.path()))
                .map(CompletableFuture::completedStage)
                .orElseThrow(() -> Refusal.notFound("there is no such page"));
    }
}
