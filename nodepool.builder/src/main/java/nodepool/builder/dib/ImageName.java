package nodepool.builder.dib;

import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Names of uploads: text with fields in braces; doubled braces stand for themselves. */
public final class ImageName {

    private static final Pattern PIECE = Pattern.compile("\\{\\{|}}|\\{([^{}]*)}|[{}]");

    private ImageName() {}

    /**
     * @param fields values by name
     * @throws IllegalArgumentException if a field is unknown or a brace has no partner
     */
    public static String of(String format, Map<String, String> fields) {
        StringBuilder name = new StringBuilder();
        Matcher piece = PIECE.matcher(format);
        while (piece.find()) {
            String found = piece.group();
            String text = switch (found) {
                case "{{" -> "{";
                case "}}" -> "}";
                case "{", "}" ->
                    throw new IllegalArgumentException("a brace has no partner in image-name-format " + format);
                default -> value(format, found.substring(1, found.length() - 1), fields);
            };
            piece.appendReplacement(name, Matcher.quoteReplacement(text));
        }
        piece.appendTail(name);
        return name.toString();
    }

    private static String value(String format, String field, Map<String, String> fields) {
        return Optional.ofNullable(fields.get(field))
                .orElseThrow(
                        () -> new IllegalArgumentException("image-name-format " + format + " has no field " + field));
    }
}
