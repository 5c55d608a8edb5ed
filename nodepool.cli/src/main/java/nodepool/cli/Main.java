package nodepool.cli;

import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import nodepool.api.command.Command;

/** The terminal's {@code nodepool}. */
public final class Main {

    private static final String USAGE =
            "usage: nodepool [-h] [-l LOGCONFIG] [--version] [-c CONFIG] [-s SECURE] [--debug] COMMAND ...";

    private Main() {}

    public static void main(String[] arguments) {
        PrintWriter out = new PrintWriter(System.out, true, StandardCharsets.UTF_8);
        PrintWriter err = new PrintWriter(System.err, true, StandardCharsets.UTF_8);
        int code = run(List.of(arguments), out, err);
        out.flush();
        err.flush();
        System.exit(code);
    }

    static int run(List<String> arguments, PrintWriter out, PrintWriter err) {
        Path config = Path.of("/etc/nodepool/nodepool.yaml");
        Optional<Path> secure = Optional.empty();
        List<String> rest = new ArrayList<>();
        for (int i = 0; i < arguments.size(); i++) {
            String word = arguments.get(i);
            boolean takesValue = word.equals("-c") || word.equals("-s") || word.equals("-l");
            if (takesValue && i + 1 == arguments.size()) {
                return usage(err, "argument " + word + ": expected one argument");
            } else if (word.equals("-c")) {
                config = path(arguments.get(++i));
            } else if (word.equals("-s")) {
                secure = Optional.of(path(arguments.get(++i)));
            } else if (word.equals("-l")) {
                i++;
            } else if (word.equals("--version") && rest.isEmpty()) {
                String version = Main.class.getPackage().getImplementationVersion();
                out.println("Nodepool version: " + (version == null ? "1.0.0" : version));
                return 0;
            } else if (!word.equals("--debug")) {
                rest.add(word);
            }
        }
        try (TerminalContext context = new TerminalContext(config, secure)) {
            List<Command> commands = new Commands(context).all();
            if (rest.isEmpty() || rest.get(0).equals("-h") || rest.get(0).equals("--help")) {
                help(commands, out);
                return rest.isEmpty() ? 1 : 0;
            }
            for (Command command : commands) {
                if (command.name().equals(rest.get(0))) {
                    return command.run(rest.subList(1, rest.size()), out, err);
                }
            }
            return usage(
                    err,
                    "invalid choice: " + rest.get(0) + " (choose from "
                            + String.join(
                                    ", ", commands.stream().map(Command::name).toList()) + ")");
        }
    }

    private static Path path(String text) {
        return Path.of(text.startsWith("~/") ? System.getProperty("user.home") + text.substring(1) : text);
    }

    private static int usage(PrintWriter err, String problem) {
        err.println(USAGE);
        err.println("nodepool: error: " + problem);
        return 2;
    }

    private static void help(List<Command> commands, PrintWriter out) {
        out.println(USAGE);
        out.println("\nNode pool.\n\ncommands:");
        commands.forEach(command -> out.printf("    %-20s%s%n", command.name(), command.summary()));
        out.printf("    %-20s%s%n", "quickstart", "run a whole system in this process, to try it out");
    }
}
