package nodepool.cli.options;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/** Reads one command line. */
final class Parser {

    private static final Pattern NEGATIVE_NUMBER = Pattern.compile("-\\d+|-\\d*\\.\\d+");

    private final Syntax syntax;
    private final Map<String, String> values = new LinkedHashMap<>();
    private final List<String> words = new ArrayList<>();
    private final List<String> unknown = new ArrayList<>();
    private List<String> line = List.of();
    private int next;
    private boolean ended;

    Parser(Syntax syntax) {
        this.syntax = syntax;
    }

    Arguments parse(List<String> given) throws Mistake {
        line = given;
        boolean onlyWords = false;
        while (next < line.size() && !ended) {
            String word = line.get(next);
            if (!onlyWords && word.equals("--")) {
                onlyWords = true;
                next++;
            } else if (!onlyWords && looksLikeOption(word)) {
                option();
            } else {
                words.add(word);
                next++;
            }
        }
        if (!ended) {
            checkWords();
        }
        return new Arguments(values, words);
    }

    int leading(List<String> given) throws Mistake {
        line = given;
        while (next < line.size() && !ended && looksLikeOption(line.get(next))) {
            option();
        }
        if (next < line.size() && !ended && line.get(next).equals("--")) {
            next++;
        }
        complainOfUnknown();
        return ended ? line.size() : next;
    }

    private static boolean looksLikeOption(String word) {
        if (word.startsWith("--") && word.indexOf('=') > 0) {
            return true;
        }
        return word.length() > 1
                && word.startsWith("-")
                && !word.equals("--")
                && word.indexOf(' ') < 0
                && !NEGATIVE_NUMBER.matcher(word).matches();
    }

    private void option() throws Mistake {
        String word = line.get(next++);
        if (word.startsWith("--")) {
            longOption(word);
        } else {
            shortOptions(word);
        }
    }

    private void longOption(String word) throws Mistake {
        int equals = word.indexOf('=');
        String name = equals < 0 ? word : word.substring(0, equals);
        Optional<Option> found = byName(name);
        if (found.isEmpty()) {
            unknown.add(word);
            return;
        }
        Optional<String> attached = equals < 0 ? Optional.empty() : Optional.of(word.substring(equals + 1));
        if (attached.isPresent() && !found.get().takesValue()) {
            throw new Mistake(
                    "argument " + found.get().spoken() + ": ignored explicit argument '" + attached.get() + "'");
        }
        store(found.get(), attached);
    }

    /** Several letters behind one dash; the first one that takes a value takes the rest of the word. */
    private void shortOptions(String word) throws Mistake {
        for (int i = 1; i < word.length() && !ended; i++) {
            String name = "-" + word.charAt(i);
            Optional<Option> found = exactly(name, syntax.options()).or(() -> exactly(name, syntax.general()));
            if (found.isEmpty()) {
                unknown.add(i == 1 ? word : "-" + word.substring(i));
                return;
            }
            if (found.get().takesValue()) {
                String rest = word.substring(i + 1);
                String value = rest.startsWith("=") ? rest.substring(1) : rest;
                store(found.get(), rest.isEmpty() ? Optional.empty() : Optional.of(value));
                return;
            }
            store(found.get(), Optional.empty());
        }
    }

    private void store(Option option, Optional<String> attached) throws Mistake {
        if (!option.takesValue()) {
            values.put(option.name(), "");
            ended = option.kind() == Option.Kind.ENDS_PARSING;
            return;
        }
        if (attached.isEmpty()
                && (next == line.size() || line.get(next).equals("--") || looksLikeOption(line.get(next)))) {
            throw new Mistake("argument " + option.spoken() + ": expected one argument");
        }
        String value = attached.isPresent() ? attached.get() : line.get(next++);
        option.check(value);
        values.put(option.name(), value);
    }

    /** The option of that name or, if there is none, the only one that begins like this; first among the command's own. */
    private Optional<Option> byName(String name) throws Mistake {
        Optional<Option> exact = exactly(name, syntax.options()).or(() -> exactly(name, syntax.general()));
        if (exact.isPresent()) {
            return exact;
        }
        Optional<Option> own = shortened(name, syntax.options());
        return own.isPresent() ? own : shortened(name, syntax.general());
    }

    private static Optional<Option> exactly(String name, List<Option> options) {
        return options.stream().filter(one -> one.names().contains(name)).findFirst();
    }

    private static Optional<Option> shortened(String start, List<Option> options) throws Mistake {
        Map<String, Option> matches = new LinkedHashMap<>();
        if (start.length() > 2) {
            for (Option option : options) {
                option.names().stream()
                        .filter(name -> name.startsWith("--") && name.startsWith(start))
                        .forEach(name -> matches.put(name, option));
            }
        }
        if (matches.size() > 1) {
            throw new Mistake("ambiguous option: " + start + " could match " + String.join(", ", matches.keySet()));
        }
        return matches.values().stream().findFirst();
    }

    private void checkWords() throws Mistake {
        int room = 0;
        for (Positional positional : syntax.positionals()) {
            if (positional.required() && words.size() <= room) {
                List<String> missing = syntax
                        .positionals()
                        .subList(room, syntax.positionals().size())
                        .stream()
                        .filter(Positional::required)
                        .map(Positional::metavar)
                        .toList();
                throw new Mistake("the following arguments are required: " + String.join(", ", missing));
            }
            if (words.size() > room) {
                positional.check(words.get(room));
            }
            room = positional.repeats() ? Integer.MAX_VALUE : room + 1;
        }
        if (words.size() > room) {
            unknown.addAll(words.subList(room, words.size()));
        }
        complainOfUnknown();
    }

    private void complainOfUnknown() throws Mistake {
        if (!unknown.isEmpty()) {
            throw new Mistake("unrecognized arguments: " + String.join(" ", unknown));
        }
    }
}
