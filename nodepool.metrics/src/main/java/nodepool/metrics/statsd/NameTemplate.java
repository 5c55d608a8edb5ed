package nodepool.metrics.statsd;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A metric's name with fields in it: {@code nodepool.nodes.<state>}. Fields are put in as they are, as the original does, but
 * for those it cleans.
 */
public final class NameTemplate {

    private static final Pattern FIELD = Pattern.compile("<([a-z]+)>");
    private static final Pattern SEPARATORS = Pattern.compile("[.:]");

    /** Fields whose dots and colons always become underscores. */
    private static final Set<String> CLEANED = Set.of("requestor", "tenant", "limit");

    private final String text;
    private final List<Part> parts;

    /** @param field whether {@code text} is a field's name, not text to be copied */
    private record Part(String text, boolean field) {}

    private NameTemplate(String text, List<Part> parts) {
        this.text = text;
        this.parts = List.copyOf(parts);
    }

    /** Parts in angle brackets are fields. */
    public static NameTemplate parse(String text) {
        List<Part> parts = new ArrayList<>();
        Matcher field = FIELD.matcher(text);
        int end = 0;
        while (field.find()) {
            parts.add(new Part(text.substring(end, field.start()), false));
            parts.add(new Part(field.group(1), true));
            end = field.end();
        }
        parts.add(new Part(text.substring(end), false));
        return new NameTemplate(text, parts);
    }

    /**
     * The name with these fields in it; absent if it needs one that is not among them or is empty.
     *
     * @param escapeDots whether dots and colons become underscores in all fields
     */
    public Optional<String> name(Map<String, String> fields, boolean escapeDots) {
        StringBuilder name = new StringBuilder(text.length() + 32);
        for (Part part : parts) {
            if (!part.field()) {
                name.append(part.text());
                continue;
            }
            String value = fields.getOrDefault(part.text(), "");
            if (value.isEmpty()) {
                return Optional.empty();
            }
            boolean clean =
                    CLEANED.contains(part.text()) || (escapeDots && !part.text().equals("result"));
            name.append(clean ? SEPARATORS.matcher(value).replaceAll("_") : value);
        }
        return Optional.of(name.toString());
    }

    /** As written. */
    @Override
    public String toString() {
        return text;
    }
}
