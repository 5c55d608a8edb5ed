package nodepool.config;

import java.io.IOException;
import java.io.StringReader;
import java.nio.charset.CharacterCodingException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import nodepool.api.config.Location;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;
import org.yaml.snakeyaml.error.Mark;
import org.yaml.snakeyaml.error.MarkedYAMLException;
import org.yaml.snakeyaml.error.YAMLException;
import org.yaml.snakeyaml.nodes.MappingNode;
import org.yaml.snakeyaml.nodes.Node;

/**
 * A file on its way to a tree of nodes with their places, the environment already substituted.
 *
 * @param file to read
 * @param secret whether nothing it holds may be shown
 * @param environment to substitute
 */
record YamlText(Path file, boolean secret, Map<String, String> environment, Problems problems) {

    /** A reference to a variable that takes part. */
    static final Pattern VARIABLE = Pattern.compile("%\\((NODEPOOL_[A-Za-z0-9_]*)\\)");

    private static final Pattern KEY = Pattern.compile("[\\s-]*[\\w.-]+\\s*:");
    private static final Pattern NAMED = Pattern.compile("(alias|anchor|handle|tag|character) .*");

    /** The file's mapping; absent if it cannot be read, or is empty and may be. */
    Optional<MappingNode> read() {
        try {
            return parse(substitute(Files.readString(file)));
        } catch (NoSuchFileException e) {
            whole("the file does not exist");
        } catch (AccessDeniedException e) {
            whole("the file cannot be read: permission denied");
        } catch (CharacterCodingException e) {
            whole("the file is not UTF-8");
        } catch (IOException e) {
            whole("the file cannot be read: " + e.getMessage());
        }
        return Optional.empty();
    }

    private Optional<MappingNode> parse(String text) {
        try {
            LoaderOptions options = new LoaderOptions();
            options.setAllowDuplicateKeys(true);
            Node root = new Yaml(new SafeConstructor(options)).compose(new StringReader(text));
            if (root == null) {
                if (!secret) {
                    whole("the file is empty");
                }
            } else if (root instanceof MappingNode mapping) {
                return new TreeCheck(file.toString(), environment, problems).sound(root, "")
                        ? Optional.of(mapping)
                        : Optional.empty();
            } else {
                whole("the file must hold a mapping, found a " + root.getNodeId());
            }
        } catch (MarkedYAMLException e) {
            broken(text, e);
        } catch (YAMLException e) {
            whole(String.valueOf(e.getMessage()));
        }
        return Optional.empty();
    }

    private void whole(String message) {
        problems.error(new Location(file.toString(), 0, 0), "", message);
    }

    private void broken(String text, MarkedYAMLException e) {
        Mark mark = e.getProblemMark();
        String line = text.lines().skip(mark.getLine()).findFirst().orElse("");
        Matcher variable = VARIABLE.matcher(line);
        String hint = variable.find() ? "; the environment variable " + variable.group(1) + " is not set" : "";
        problems.error(
                new Location(file.toString(), mark.getLine() + 1, mark.getColumn() + 1),
                "",
                (secret ? "no YAML" : problem(e, line)) + hint + (secret ? "" : shown(line, mark.getColumn())));
    }

    /** Without the word in the file that is wrong: it may be part of a password. */
    private static String problem(MarkedYAMLException e, String line) {
        int column = e.getProblemMark().getColumn();
        return column < line.length() && line.charAt(column) == '\t'
                ? "a tab is used as indentation; YAML is indented with spaces"
                : NAMED.matcher(String.valueOf(e.getProblem())).replaceFirst("$1");
    }

    /** The line up to where a value begins, which may be a password. */
    private static String shown(String line, int column) {
        Matcher key = KEY.matcher(line);
        if (!key.lookingAt()) {
            return "";
        }
        String shown = key.group().replace('\t', ' ');
        String mark = column < shown.length() ? "\n    " + " ".repeat(column) + "^" : "";
        return "\n    " + shown + (shown.length() < line.length() ? " …" : "") + mark;
    }

    private String substitute(String text) {
        return VARIABLE.matcher(text).replaceAll(found -> {
            Optional<String> value = Optional.ofNullable(environment.get(found.group(1)));
            value.ifPresent(known -> problems.hide(known, found.group()));
            return Matcher.quoteReplacement(value.orElse(found.group()));
        });
    }
}
