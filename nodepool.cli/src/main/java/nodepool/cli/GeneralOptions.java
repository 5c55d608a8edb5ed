package nodepool.cli;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import nodepool.cli.options.Arguments;
import nodepool.cli.options.Option;
import nodepool.cli.options.Syntax;
import nodepool.cli.verb.Verb;

/** The options that stand before the command, or behind it, and what they mean. */
final class GeneralOptions {

    static final Option VERSION = new Option(
            List.of("--version"),
            Optional.empty(),
            Option.Kind.ENDS_PARSING,
            List.of(),
            "show program's version number and exit");

    private static final String CONFIG = "/etc/nodepool/nodepool.yaml";

    private static final List<Option> OPTIONS = List.of(
            Option.text("CONFIG", "configuration file; default: " + CONFIG, "-c"),
            Option.text("SECURE", "secure configuration file", "-s"),
            Option.text("LOGCONFIG", "Logback configuration of the log", "-l"),
            Option.count("SECONDS", "how long to wait for ZooKeeper; default: 10", "--timeout"),
            Option.flag("log on standard error what the tool does", "-d", "--debug"),
            VERSION);

    private final Arguments before;
    private final Arguments behind;

    GeneralOptions(Arguments before, Arguments behind) {
        this.before = before;
        this.behind = behind;
    }

    /** What stands before the command. */
    static Syntax syntax() {
        return Syntax.of("nodepool", "Node pool.").with(OPTIONS.toArray(Option[]::new));
    }

    /** What a command understands in the terminal. */
    static Syntax of(Verb verb) {
        return verb.syntax().alsoUnderstanding(OPTIONS);
    }

    Path config() {
        return path(value("-c").orElse(CONFIG));
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
        return has(VERSION.name());
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
