package nodepool.webapp.http;

import jakarta.servlet.AsyncContext;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A {@link Page} as a servlet: GET and HEAD are answered, OPTIONS says so, nothing else is allowed. */
public final class PageServlet extends HttpServlet {
    private static final long serialVersionUID = 1L;

    private static final Logger log = LoggerFactory.getLogger("nodepool.WebApp");
    private static final String ALLOWED = "GET, HEAD, OPTIONS";

    /** How long a page may take, in milliseconds. */
    private static final long PATIENCE = 10_000;

    private final transient Page page;
    private final boolean shared;

    private PageServlet(Page page, boolean shared) {
        this.page = page;
        this.shared = shared;
    }

    /** A page of the original's: scripts of any site may read it, errors are text or JSON as the client prefers. */
    public static PageServlet shared(Page page) {
        return new PageServlet(page, true);
    }

    /** A page for programs: errors are JSON. */
    public static PageServlet forPrograms(Page page) {
        return new PageServlet(page, false);
    }

    @Override
    protected void service(HttpServletRequest request, HttpServletResponse response) throws IOException {
        if (shared) {
            response.setHeader("Access-Control-Allow-Origin", "*");
        }
        switch (request.getMethod()) {
            case "GET", "HEAD" -> answer(request, response);
            case "OPTIONS" -> {
                response.setHeader("Allow", ALLOWED);
                if (shared) {
                    response.setHeader("Access-Control-Allow-Methods", ALLOWED);
                }
                response.setStatus(HttpServletResponse.SC_NO_CONTENT);
            }
            default -> Sending.send(error(request, 405, "only " + ALLOWED).with("Allow", ALLOWED), request, response);
        }
    }

    private void answer(HttpServletRequest request, HttpServletResponse response) throws IOException {
        CompletableFuture<Answer> answer = ask(request).toCompletableFuture();
        if (answer.isDone()) {
            Sending.send(finished(answer, request), request, response);
            return;
        }
        AsyncContext later = request.startAsync();
        later.setTimeout(PATIENCE);
        later.addListener(new Overdue(() -> error(request, 503, "no answer from ZooKeeper")));
        // Written by a thread of the server, never by the one that made the answer.
        answer.whenComplete((any, failure) -> later.start(() -> {
            try {
                Sending.send(finished(answer, request), request, response);
            } catch (IOException | IllegalStateException gone) {
                log.debug("Nobody waits for the answer any more", gone);
            } finally {
                later.complete();
            }
        }));
    }

    private CompletionStage<Answer> ask(HttpServletRequest request) {
        try {
            return page.answer(askOf(request));
        } catch (RuntimeException failure) {
            return CompletableFuture.failedStage(failure);
        }
    }

    private static Ask askOf(HttpServletRequest request) {
        Map<String, String> parameters = new HashMap<>();
        request.getParameterMap().forEach((name, values) -> parameters.put(name, values[0]));
        String info = request.getPathInfo();
        return new Ask(
                rooted(request.getServletPath() + (info == null ? "" : info)),
                parameters,
                Optional.ofNullable(request.getHeader("Accept")));
    }

    /** Servers disagree about which part of the path "/" is its slash. */
    private static String rooted(String path) {
        return path.replaceFirst("^/*", "/");
    }

    private Answer finished(CompletableFuture<Answer> answer, HttpServletRequest request) {
        try {
            return answer.join();
        } catch (CompletionException failed) {
            Throwable cause = failed.getCause() == null ? failed : failed.getCause();
            if (cause instanceof Refusal refusal) {
                return error(request, refusal.status(), String.valueOf(refusal.getMessage()));
            }
            log.error("No answer to {}", request.getServletPath(), cause);
            return error(request, 500, "a fault of ours; see the log");
        }
    }

    private Answer error(HttpServletRequest request, int status, String message) {
        boolean asJson = !shared || Accept.prefersJson(Optional.ofNullable(request.getHeader("Accept")));
        return Answer.error(status, message, asJson);
    }
}
