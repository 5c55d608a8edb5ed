package nodepool.cli.options;

import java.util.List;
import java.util.Optional;

/** The options of the program, which every command understands as well. */
public final class ProgramOptions {

    /** Where the configuration is unless {@code -c} says otherwise. */
    public static final String CONFIG = "/etc/nodepool/nodepool.yaml";

    /** Prints the version instead of doing anything. */
    public static final Option VERSION = new Option(
            List.of("--version"),
            Optional.empty(),
            Option.Kind.ENDS_PARSING,
            List.of(),
            "show program's version number and exit");

    /** All of them but {@code -h}. */
    public static final List<Option> ALL = List.of(
            Option.file("CONFIG", "configuration file; default: " + CONFIG, "-c"),
            Option.file("SECURE", "secure configuration file", "-s"),
            Option.file("LOGCONFIG", "Logback configuration of the log", "-l"),
            Option.count("SECONDS", "how long to wait for ZooKeeper; default: 10", "--timeout"),
            Option.flag("log on standard error what the tool does", "-d", "--debug"),
            VERSION);

    private ProgramOptions() {}
}
