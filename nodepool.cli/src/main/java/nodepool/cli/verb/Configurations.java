package nodepool.cli.verb;

import nodepool.api.config.Configuration;
import nodepool.api.config.ConfigurationReader;
import nodepool.api.config.Problem;

/** Configurations that commands work on. */
final class Configurations {

    private Configurations() {}

    /** The configuration that was read; what prevents using it is said as {@code config-validate} says it. */
    static Configuration usable(ConfigurationReader.Result result, Call call) throws CommandException {
        if (result.configuration().isPresent()) {
            return result.configuration().get();
        }
        result.problems().stream()
                .filter(problem -> problem.severity() == Problem.Severity.ERROR)
                .forEach(problem -> call.err()
                        .println(problem.at() + ": error: " + (problem.path().isEmpty() ? "" : problem.path() + ": ")
                                + problem.message()));
        throw CommandException.failed("the configuration cannot be used");
    }
}
