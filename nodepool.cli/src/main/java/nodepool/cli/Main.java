package nodepool.cli;

import java.io.PrintWriter;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import nodepool.cli.options.Arguments;
import nodepool.cli.options.Mistake;
import nodepool.cli.options.Option;
import nodepool.cli.options.ProgramOptions;
import nodepool.cli.options.Syntax;
import nodepool.cli.verb.Call;
import nodepool.cli.verb.Verb;
import nodepool.cli.verb.VerbCommand;
import nodepool.cli.verb.Verbs;

/** The terminal's {@code nodepool}. */
public final class Main {

    private static final Arguments NOTHING = new Arguments(Map.of(), List.of());

    private Main() {}

    public static void main(String[] arguments) {
        Surroundings ours = Surroundings.ofProcess();
        int code = run(List.of(arguments), ours);
        ours.out().flush();
        ours.err().flush();
        System.exit(code);
    }

    static int run(List<String> words, Surroundings surroundings) {
        PrintWriter out = surroundings.out();
        Syntax program = GeneralOptions.syntax();
        try {
            int leading = program.leading(words);
            Arguments before = program.parse(words.subList(0, leading));
            if (before.has(Option.HELP.name())) {
                out.print(ProgramHelp.text());
                return 0;
            } else if (before.has(ProgramOptions.VERSION.name())) {
                return version(out);
            } else if (leading == words.size()) {
                out.print(ProgramHelp.text());
                return 1;
            }
            return run(verb(words.get(leading)), before, words.subList(leading + 1, words.size()), surroundings);
        } catch (Mistake mistake) {
            surroundings.err().println(ProgramHelp.usage());
            surroundings.err().println("nodepool: error: " + mistake.getMessage());
            return 2;
        }
    }

    private static int run(Verb verb, Arguments before, List<String> words, Surroundings surroundings) {
        Syntax syntax = GeneralOptions.of(verb);
        Arguments arguments = NOTHING;
        try {
            arguments = syntax.parse(words);
        } catch (Mistake mistake) {
            return VerbCommand.complain(verb.syntax(), mistake, surroundings.err());
        }
        GeneralOptions general = new GeneralOptions(before, arguments);
        if (general.version()) {
            return version(surroundings.out());
        }
        setUpLog(general);
        try (TerminalContext context =
                new TerminalContext(general.config(), general.secure(), general.timeout(), surroundings)) {
            return VerbCommand.run(verb, syntax, new Call(arguments, context, surroundings.out(), surroundings.err()));
        }
    }

    private static Verb verb(String name) throws Mistake {
        List<Verb> verbs = Verbs.all();
        Optional<Verb> found =
                verbs.stream().filter(verb -> verb.name().equals(name)).findFirst();
        return found.orElseThrow(() -> new Mistake("argument COMMAND: "
                + Mistake.invalidChoice(name, verbs.stream().map(Verb::name).toList())));
    }

    /** Before anything logs. Debugging wins over a log configuration. */
    private static void setUpLog(GeneralOptions general) {
        if (general.debug()) {
            System.setProperty("nodepool.log.level", "DEBUG");
            System.setProperty("nodepool.zk.log.level", "DEBUG");
        } else {
            general.logConfig().ifPresent(file -> System.setProperty("logback.configurationFile", file));
        }
    }

    private static int version(PrintWriter out) {
        out.println("Nodepool version: "
                + Optional.ofNullable(Main.class.getPackage().getImplementationVersion())
                        .orElse("unknown"));
        return 0;
    }
}
