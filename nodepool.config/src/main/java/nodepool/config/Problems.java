package nodepool.config;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import nodepool.api.config.Location;
import nodepool.api.config.Problem;
import nodepool.api.config.Problem.Severity;

/** Collects mistakes while a configuration is read. */
final class Problems {

    private final List<Problem> found = new ArrayList<>();

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
                .distinct()
                .sorted(Comparator.comparing((Problem problem) -> problem.at().file())
                        .thenComparing(problem -> problem.at().line())
                        .thenComparing(problem -> problem.at().column()))
                .toList();
    }
}
