package nodepool.config;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import nodepool.api.config.Location;
import nodepool.api.config.Problem.Severity;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;
import org.yaml.snakeyaml.error.Mark;
import org.yaml.snakeyaml.error.MarkedYAMLException;
import org.yaml.snakeyaml.error.YAMLException;
import org.yaml.snakeyaml.nodes.MappingNode;
import org.yaml.snakeyaml.nodes.Node;

/** A YAML 1.1 file as a tree of nodes with their places, the environment already substituted. */
final class YamlText {

    private static final Pattern VARIABLE = Pattern.compile("%\\((NODEPOOL_[A-Za-z0-9_]*)\\)");

    private YamlText() {}

    /** The file's mapping; absent if it cannot be read, or is empty and may be. */
    static Optional<MappingNode> read(
            Path file, Map<String, String> environment, boolean mayBeEmpty, Problems problems) {
        Location whole = new Location(file.toString(), 0, 0);
        String text;
        try {
            text = substitute(Files.readString(file), file, environment, problems);
        } catch (NoSuchFileException e) {
            problems.error(whole, "", "the file does not exist");
            return Optional.empty();
        } catch (IOException e) {
            problems.error(whole, "", "the file cannot be read: " + e.getMessage());
            return Optional.empty();
        }
        try {
            LoaderOptions options = new LoaderOptions();
            options.setAllowDuplicateKeys(true);
            Node root = new Yaml(new Merging(options)).compose(new java.io.StringReader(text));
            if (root == null) {
                if (!mayBeEmpty) {
                    problems.error(whole, "", "the file is empty");
                }
                return Optional.empty();
            }
            if (root instanceof MappingNode mapping) {
                return Optional.of(mapping);
            }
            problems.error(whole, "", "the file must hold a mapping, found a " + root.getNodeId());
        } catch (MarkedYAMLException e) {
            Mark mark = e.getProblemMark();
            problems.error(
                    new Location(file.toString(), mark.getLine() + 1, mark.getColumn() + 1),
                    "",
                    e.getProblem() + hint(text, mark.getLine()));
        } catch (YAMLException e) {
            problems.error(whole, "", String.valueOf(e.getMessage()));
        }
        return Optional.empty();
    }

    /** Only the types that plain YAML knows. */
    private static final class Merging extends SafeConstructor {
        Merging(LoaderOptions options) {
            super(options);
        }
    }

    private static String substitute(String text, Path file, Map<String, String> environment, Problems problems) {
        StringBuilder out = new StringBuilder();
        Matcher matcher = VARIABLE.matcher(text);
        while (matcher.find()) {
            String name = matcher.group(1);
            String value = environment.get(name);
            if (value == null) {
                int line = (int) text.substring(0, matcher.start()).lines().count();
                problems.add(
                        Severity.WARNING,
                        new Location(file.toString(), Math.max(1, line), 0),
                        "",
                        "the environment variable " + name + " is not set");
            }
            matcher.appendReplacement(out, Matcher.quoteReplacement(value == null ? matcher.group() : value));
        }
        matcher.appendTail(out);
        return out.toString();
    }

    private static String hint(String text, int line) {
        boolean variable = text.lines()
                .skip(line)
                .findFirst()
                .filter(found -> VARIABLE.matcher(found).find())
                .isPresent();
        return variable ? "; the line holds an environment variable that is not set" : "";
    }
}
