package nodepool.webapp.http;

import jakarta.servlet.AsyncEvent;
import jakarta.servlet.AsyncListener;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.function.Supplier;

/** Answers in place of a page that takes too long. */
final class Overdue implements AsyncListener {

    private final Supplier<Answer> answer;

    Overdue(Supplier<Answer> answer) {
        this.answer = answer;
    }

    @Override
    public void onTimeout(AsyncEvent event) throws IOException {
        Sending.send(answer.get(), (HttpServletRequest) event.getSuppliedRequest(), (HttpServletResponse)
                event.getSuppliedResponse());
        event.getAsyncContext().complete();
    }

    @Override
    public void onComplete(AsyncEvent event) {
        // Nothing is held.
    }

    @Override
    public void onError(AsyncEvent event) {
        // The server ends the exchange.
    }

    @Override
    public void onStartAsync(AsyncEvent event) {
        // There is one round only.
    }
}
