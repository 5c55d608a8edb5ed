package nodepool.webapp.http;

import java.util.concurrent.CompletionStage;

/**
 * Answers questions that change nothing. Thread-safe. What takes time completes later, on any thread; an exception, thrown or
 * in the stage, becomes status 500 without its text, unless it is a {@link Refusal}.
 */
@FunctionalInterface
public interface Page {

    CompletionStage<Answer> answer(Ask ask);
}
