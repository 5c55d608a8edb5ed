package nodepool.cli.options;

import java.util.ArrayList;
import java.util.List;

/**
 * What a command understands.
 *
 * @param program what is typed to call it: {@code nodepool list}
 * @param summary what it does, for its help text
 * @param options of its own
 * @param general options that are understood as well but not listed; those of its own come first when a name is shortened
 * @param positionals in order
 * @param examples command lines to learn from
 */
public record Syntax(
        String program,
        String summary,
        List<Option> options,
        List<Option> general,
        List<Positional> positionals,
        List<String> examples) {

    public Syntax {
        options = List.copyOf(options);
        general = List.copyOf(general);
        positionals = List.copyOf(positionals);
        examples = List.copyOf(examples);
    }

    /** A command with {@code -h} only. */
    public static Syntax of(String program, String summary) {
        return new Syntax(program, summary, List.of(Option.HELP), List.of(), List.of(), List.of());
    }

    public Syntax with(Option... more) {
        List<Option> all = new ArrayList<>(options);
        all.addAll(List.of(more));
        return new Syntax(program, summary, all, general, positionals, examples);
    }

    public Syntax with(Positional... more) {
        List<Positional> all = new ArrayList<>(positionals);
        all.addAll(List.of(more));
        return new Syntax(program, summary, options, general, all, examples);
    }

    public Syntax example(String line) {
        List<String> all = new ArrayList<>(examples);
        all.add(line);
        return new Syntax(program, summary, options, general, positionals, all);
    }

    /** This syntax, which also understands {@code others}. */
    public Syntax alsoUnderstanding(List<Option> others) {
        return new Syntax(program, summary, options, others, positionals, examples);
    }

    /** Reads a whole command line. */
    public Arguments parse(List<String> words) throws Mistake {
        return new Parser(this).parse(words);
    }

    /** How many words stand before the first one that is no option, nor the value of one. */
    public int leading(List<String> words) throws Mistake {
        return new Parser(this).leading(words);
    }

    /** The short text for a wrong command line. */
    public String usage() {
        return HelpText.usage(this);
    }

    /** The text for {@code --help}. */
    public String help() {
        return HelpText.of(this);
    }

    /** What is printed for a wrong command line. */
    public String complaint(Mistake mistake) {
        return usage() + "\n" + program + ": error: " + mistake.getMessage();
    }
}
