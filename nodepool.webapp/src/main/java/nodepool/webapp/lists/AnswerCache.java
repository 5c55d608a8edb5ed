package nodepool.webapp.lists;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import nodepool.webapp.http.Answer;

/** The last few answers, each for a second, so that many who ask the same cost as much as one. Thread-safe. */
final class AnswerCache {

    private static final Duration FRESH = Duration.ofSeconds(1);
    private static final int MOST = 8;

    private final Clock clock;
    private final Map<Object, Answer> answers = new LinkedHashMap<>() {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Object, Answer> eldest) {
            return size() > MOST;
        }
    };

    AnswerCache(Clock clock) {
        this.clock = clock;
    }

    synchronized Optional<Answer> find(Object question) {
        Instant now = clock.instant();
        answers.values()
                .removeIf(answer -> answer.made()
                        .filter(made -> !made.isAfter(now) && made.plus(FRESH).isAfter(now))
                        .isEmpty());
        return Optional.ofNullable(answers.get(question));
    }

    synchronized void keep(Object question, Answer answer) {
        answers.put(question, answer);
    }
}
