package nodepool.config;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import nodepool.api.config.Location;
import nodepool.api.config.Problem;
import nodepool.api.config.Problem.Severity;

/** Collects mistakes while a configuration is read. What is hidden is in no message, whoever wrote it. */
final class Problems {

    /** What is shorter is too much part of other words, and no secret. */
    private static final int SHORTEST_HIDDEN = 4;

    private final List<Problem> found = new ArrayList<>();
    private final Map<String, String> hidden = new LinkedHashMap<>();

    /** From now on, and in what was found before, {@code instead} stands where this value would. */
    void hide(String value, String instead) {
        if (value.length() >= SHORTEST_HIDDEN) {
            hidden.putIfAbsent(value, instead);
        }
    }

    void add(Severity severity, Location at, String path, String message) {
        found.add(new Problem(at, severity, path, message));
    }

    void error(Location at, String path, String message) {
        add(Severity.ERROR, at, path, message);
    }

    void warning(Location at, String path, String message) {
        add(Severity.WARNING, at, path, message);
    }

    /** Whether an error was found at that very place. */
    boolean hasErrorAt(Location at) {
        return found.stream()
                .anyMatch(problem ->
                        problem.severity() == Severity.ERROR && problem.at().equals(at));
    }

    boolean hasErrors() {
        return count() > 0;
    }

    long count() {
        return found.stream()
                .filter(problem -> problem.severity() == Severity.ERROR)
                .count();
    }

    /** Sorted by place. */
    List<Problem> sorted() {
        return found.stream()
                .map(this::shown)
                .distinct()
                .sorted(Comparator.comparing((Problem problem) -> problem.at().file())
                        .thenComparing(problem -> problem.at().line())
                        .thenComparing(problem -> problem.at().column()))
                .toList();
    }

    private Problem shown(Problem problem) {
        String message = problem.message();
        for (Map.Entry<String, String> secret : hidden.entrySet()) {
            message = message.replace(secret.getKey(), secret.getValue());
        }
        return new Problem(problem.at(), problem.severity(), problem.path(), message);
    }
}
