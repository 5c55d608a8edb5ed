package nodepool.webapp.stream;

import jakarta.servlet.AsyncContext;
import jakarta.servlet.AsyncEvent;
import jakarta.servlet.AsyncListener;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;

/** {@code /api/v1/events}: keeps connections open for the {@link ChangeFeed}; no thread waits for any of them. */
public final class EventServlet extends HttpServlet {
    private static final long serialVersionUID = 1L;

    private final transient ChangeFeed feed;

    public EventServlet(ChangeFeed feed) {
        this.feed = feed;
    }

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
        response.setHeader("Cache-Control", "no-store");
        response.setContentType("text/event-stream");
        response.setCharacterEncoding("UTF-8");
        AsyncContext connection = request.startAsync();
        connection.setTimeout(0);
        Listener listener = new Listener(connection, response.getOutputStream(), feed::remove);
        connection.addListener(new End(listener));
        if (feed.add(listener)) {
            listener.start();
        } else {
            response.setStatus(HttpServletResponse.SC_SERVICE_UNAVAILABLE);
            response.setHeader("Retry-After", "60");
            connection.complete();
        }
    }

    /** The connection has come to an end. */
    private record End(Listener listener) implements AsyncListener {

        @Override
        public void onComplete(AsyncEvent event) {
            listener.end();
        }

        @Override
        public void onTimeout(AsyncEvent event) {
            listener.end();
        }

        @Override
        public void onError(AsyncEvent event) {
            listener.end();
        }

        @Override
        public void onStartAsync(AsyncEvent event) {
            // There is one round only.
        }
    }
}
