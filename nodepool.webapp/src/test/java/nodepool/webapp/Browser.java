package nodepool.webapp;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpResponse;
import java.net.http.WebSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import nodepool.testkit.Running;

/** Chromium without a window, steered through its DevTools protocol. One page. */
public final class Browser implements AutoCloseable {

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final long DEADLINE_SECONDS = 60;

    /** Evaluates to true as soon as the page satisfies {@code %s}; looks after every change of the document. */
    private static final String UNTIL = """
            new Promise((found) => {
              const look = () => { if (%s) { found(true); return true; } return false; };
              if (!look()) {
                const observer = new MutationObserver(() => { if (look()) { observer.disconnect(); } });
                observer.observe(document, { subtree: true, childList: true, characterData: true, attributes: true });
              }
            })""";

    private final Running process;
    private final WebSocket socket;
    private final AtomicInteger last = new AtomicInteger();
    private final Map<Integer, CompletableFuture<JsonNode>> answers = new ConcurrentHashMap<>();

    /** @param folder for its profile */
    public Browser(Path folder) throws Exception {
        process = Running.start(
                Map.of("TMPDIR", folder.toString()),
                List.of(
                        "/usr/bin/chromium",
                        "--headless",
                        "--no-sandbox",
                        "--disable-gpu",
                        "--disable-dev-shm-usage",
                        "--disable-background-networking",
                        "--disable-component-update",
                        "--no-first-run",
                        "--remote-debugging-port=0",
                        "--user-data-dir=" + folder.resolve("profile"),
                        "about:blank"));
        String address = process.await("DevTools listening on ").replaceFirst(".*listening on ", "");
        HttpClient client = HttpClient.newHttpClient();
        URI list = URI.create(address.replaceFirst("^ws", "http").replaceFirst("/devtools.*", "/json/list"));
        JsonNode pages = JSON.readTree(
                client.send(java.net.http.HttpRequest.newBuilder(list).build(), HttpResponse.BodyHandlers.ofString())
                        .body());
        String page = "";
        for (JsonNode one : pages) {
            if (one.get("type").asText().equals("page")) {
                page = one.get("webSocketDebuggerUrl").asText();
            }
        }
        socket = client.newWebSocketBuilder()
                .buildAsync(URI.create(page), new Reader())
                .get(DEADLINE_SECONDS, TimeUnit.SECONDS);
    }

    /** Puts the parts of messages together. */
    private final class Reader implements WebSocket.Listener {

        private final StringBuilder message = new StringBuilder();

        @Override
        public CompletionStage<?> onText(WebSocket from, CharSequence part, boolean whole) {
            message.append(part);
            if (whole) {
                take(message.toString());
                message.setLength(0);
            }
            from.request(1);
            return CompletableFuture.completedStage(null);
        }

        private void take(String text) {
            try {
                JsonNode answer = JSON.readTree(text);
                CompletableFuture<JsonNode> asked =
                        answers.remove(answer.path("id").asInt());
                if (asked != null) {
                    asked.complete(answer);
                }
            } catch (IOException e) {
                answers.values().forEach(one -> one.completeExceptionally(e));
            }
        }
    }

    private JsonNode call(String method, Map<String, ?> parameters) throws Exception {
        int id = last.incrementAndGet();
        CompletableFuture<JsonNode> answer = new CompletableFuture<>();
        answers.put(id, answer);
        ObjectNode message = JSON.createObjectNode().put("id", id).put("method", method);
        message.set("params", JSON.valueToTree(parameters));
        socket.sendText(message.toString(), true);
        JsonNode told = answer.get(DEADLINE_SECONDS, TimeUnit.SECONDS);
        if (told.has("error")) {
            throw new IOException(method + ": " + told.get("error"));
        }
        return told.get("result");
    }

    /** Shows the page of that address, in a window of that size. */
    public void open(String url, int width, int height) throws Exception {
        call(
                "Emulation.setDeviceMetricsOverride",
                Map.of("width", width, "height", height, "deviceScaleFactor", 1, "mobile", width < 600));
        call("Page.navigate", Map.of("url", url));
    }

    /** Darkness, or light, as the user prefers. */
    public void prefer(String scheme) throws Exception {
        call(
                "Emulation.setEmulatedMedia",
                Map.of("features", List.of(Map.of("name", "prefers-color-scheme", "value", scheme))));
    }

    /** The value of an expression, waited for if it is a promise. */
    public JsonNode value(String expression) throws Exception {
        JsonNode result =
                call("Runtime.evaluate", Map.of("expression", expression, "awaitPromise", true, "returnByValue", true));
        if (result.has("exceptionDetails")) {
            throw new IOException(expression + ": " + result.get("exceptionDetails"));
        }
        return result.get("result").path("value");
    }

    /** Waits until that expression is true of the page. */
    public void await(String condition) throws Exception {
        try {
            value(UNTIL.formatted(condition));
        } catch (java.util.concurrent.TimeoutException never) {
            throw new AssertionError(
                    "never: " + condition + " in\n"
                            + value("document.body.innerText").asText(),
                    never);
        }
    }

    /** Waits until that text is shown. */
    public void awaitText(String text) throws Exception {
        await("document.body && document.body.innerText.includes(" + JSON.writeValueAsString(text) + ")");
    }

    /** A picture of the page as it is. */
    public void screenshot(Path file) throws Exception {
        JsonNode picture = call("Page.captureScreenshot", Map.of("format", "png"));
        Files.write(file, Base64.getDecoder().decode(picture.get("data").asText()));
    }

    @Override
    public void close() {
        socket.abort();
        process.close();
    }
}
