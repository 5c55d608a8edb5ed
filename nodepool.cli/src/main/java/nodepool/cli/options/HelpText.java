package nodepool.cli.options;

import java.util.ArrayList;
import java.util.List;

/** Usage and help, laid out like argparse does on a terminal of eighty columns. */
final class HelpText {

    private static final int WIDTH = 80;
    private static final int HELP_COLUMN = 24;

    private HelpText() {}

    static String usage(Syntax syntax) {
        List<String> parts = new ArrayList<>();
        syntax.options().forEach(option -> parts.add(option.usage()));
        syntax.positionals().forEach(positional -> parts.add(positional.usage()));
        String start = "usage: " + syntax.program();
        StringBuilder text = new StringBuilder(start);
        int column = start.length();
        for (String part : parts) {
            if (column + 1 + part.length() > WIDTH) {
                text.append('\n').append(" ".repeat(start.length()));
                column = start.length();
            }
            text.append(' ').append(part);
            column += 1 + part.length();
        }
        return text.toString();
    }

    static String of(Syntax syntax) {
        StringBuilder text = new StringBuilder(usage(syntax));
        text.append("\n\n").append(syntax.summary()).append('\n');
        if (!syntax.positionals().isEmpty()) {
            text.append("\narguments:\n");
            syntax.positionals().forEach(one -> entry(text, one.metavar(), one.help()));
        }
        text.append("\noptions:\n");
        syntax.options().forEach(option -> entry(text, names(option), option.help()));
        if (!syntax.general().isEmpty()) {
            text.append("\nand the general options, see nodepool --help\n");
        }
        if (!syntax.examples().isEmpty()) {
            text.append(syntax.examples().size() == 1 ? "\nexample:\n" : "\nexamples:\n");
            syntax.examples().forEach(line -> text.append("  ").append(line).append('\n'));
        }
        return text.toString();
    }

    private static String names(Option option) {
        String value = option.metavar().map(word -> " " + word).orElse("");
        return String.join(
                ", ", option.names().stream().map(name -> name + value).toList());
    }

    /** A name and what it means beside it, or below it if the name is long. */
    static void entry(StringBuilder text, String name, String help) {
        String left = "  " + name;
        text.append(left);
        int column = left.length();
        if (column > HELP_COLUMN - 2) {
            text.append('\n');
            column = 0;
        }
        text.append(" ".repeat(HELP_COLUMN - column));
        column = HELP_COLUMN;
        boolean first = true;
        for (String word : help.split(" ")) {
            if (!first && column + 1 + word.length() > WIDTH) {
                text.append('\n').append(" ".repeat(HELP_COLUMN));
                column = HELP_COLUMN;
                first = true;
            }
            text.append(first ? "" : " ").append(word);
            column += word.length() + (first ? 0 : 1);
            first = false;
        }
        text.append('\n');
    }
}
