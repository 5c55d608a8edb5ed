package nodepool.support;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A configuration file without anything that may be secret: what is kept is named here, everything else is masked. Works line
 * by line, so that a file with mistakes in it can be shown as well.
 */
final class PublicYaml {

    private static final String MASK = "***";
    private static final Pattern ENTRY = Pattern.compile("(\\s*(?:- +)*)([\\w.-]+)(\\s*:)(?:\\s+(.*))?");
    private static final Pattern ITEM = Pattern.compile("(\\s*(?:- +)+)(.*)");
    private static final Pattern PLAIN =
            Pattern.compile("-?[\\d.]+|true|false|yes|no|on|off|null|~", Pattern.CASE_INSENSITIVE);
    private static final Pattern WORD = Pattern.compile("['\"]?[\\w.+-]{1,64}['\"]?");

    /** Keys whose values are names and sizes, never secrets. */
    private static final Set<String> KEPT = Set.of(
            "name",
            "driver",
            "labels",
            "label",
            "cloud",
            "region-name",
            "region",
            "cloud-image",
            "diskimage",
            "diskimages",
            "image-type",
            "formats",
            "elements",
            "release",
            "parent",
            "flavor-name",
            "min-ram",
            "connection-type",
            "type",
            "networks",
            "security-groups",
            "availability-zones",
            "username",
            "shell-type",
            "python-path",
            "timezone",
            "pools",
            "providers",
            "abstract");

    private final Deque<Level> levels = new ArrayDeque<>();

    /** An open mapping or list: its indent, and whether what lies in it directly may be shown. */
    private record Level(int indent, boolean kept) {}

    private PublicYaml() {}

    static String of(String file) {
        PublicYaml reader = new PublicYaml();
        StringBuilder out = new StringBuilder(file.length());
        file.lines().map(reader::line).forEach(line -> out.append(line).append('\n'));
        return out.toString();
    }

    private String line(String line) {
        if (line.isBlank() || line.strip().equals("---")) {
            return line.strip();
        }
        if (line.stripLeading().startsWith("#")) {
            return indentOf(line) + "# " + MASK;
        }
        Matcher entry = ENTRY.matcher(line);
        if (entry.matches()) {
            return entry(entry);
        }
        Matcher item = ITEM.matcher(line);
        if (item.matches()) {
            closeTo(indentOf(line).length() + 1);
            boolean kept = !levels.isEmpty() && levels.getLast().kept();
            return item.group(1) + value(kept, item.group(2));
        }
        return indentOf(line) + MASK;
    }

    private String entry(Matcher entry) {
        String key = entry.group(2);
        int indent = entry.group(1).length();
        closeTo(indent);
        String value = entry.group(4) == null ? "" : entry.group(4);
        boolean kept = KEPT.contains(key);
        levels.addLast(new Level(indent, kept));
        return entry.group(1) + key + entry.group(3) + (value.isEmpty() ? "" : " " + value(kept, value));
    }

    /** Lists may stand as far left as the key they belong to. */
    private void closeTo(int indent) {
        while (!levels.isEmpty() && levels.getLast().indent() >= indent) {
            levels.removeLast();
        }
    }

    private static String value(boolean kept, String value) {
        String bare = value.strip();
        boolean shown =
                PLAIN.matcher(bare).matches() || (kept && WORD.matcher(bare).matches());
        return shown ? bare : MASK;
    }

    private static String indentOf(String line) {
        return line.substring(0, line.length() - line.stripLeading().length());
    }
}
