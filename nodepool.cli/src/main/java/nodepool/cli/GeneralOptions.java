package nodepool.cli;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import nodepool.cli.options.Arguments;
import nodepool.cli.options.Option;
import nodepool.cli.options.ProgramOptions;
import nodepool.cli.options.Syntax;
import nodepool.cli.verb.Verb;

/** The options that stand before the command, or behind it, and what they mean. */
final class GeneralOptions {

    private final Arguments before;
    private final Arguments behind;

    GeneralOptions(Arguments before, Arguments behind) {
        this.before = before;
        this.behind = behind;
    }

    /** What stands before the command. */
    static Syntax syntax() {
        return Syntax.of("nodepool", "Node pool.").with(ProgramOptions.ALL.toArray(Option[]::new));
    }

    /** What a command understands in the terminal. */
    static Syntax of(Verb verb) {
        return verb.syntax().alsoUnderstanding(ProgramOptions.ALL);
    }

    Path config() {
        return path(value("-c").orElse(ProgramOptions.CONFIG));
    }

    Optional<Path> secure() {
        return value("-s").map(GeneralOptions::path);
    }

    Optional<String> logConfig() {
        return value("-l");
    }

    boolean debug() {
        return has("--debug");
    }

    boolean version() {
        return has(ProgramOptions.VERSION.name());
    }

    Duration timeout() {
        return Duration.ofSeconds(Long.parseLong(value("--timeout").orElse("10")));
    }

    private boolean has(String option) {
        return before.has(option) || behind.has(option);
    }

    private Optional<String> value(String option) {
        return behind.value(option).or(() -> before.value(option));
    }

    private static Path path(String text) {
        return Path.of(text.startsWith("~/") ? System.getProperty("user.home") + text.substring(1) : text);
    }
}
