package nodepool.webapp.http;

import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Which form of an answer a client wants, by its header {@code Accept}. Offered are HTML, which is answered as text, text and
 * JSON; with equal quality the earlier offer wins.
 */
public final class Accept {

    private static final Pattern RANGE =
            Pattern.compile("\\s*([\\w!#$%&'*+.^`|~-]+)/([\\w!#$%&'*+.^`|~-]+)\\s*((?:;[^;,]*)*)\\s*");
    private static final Pattern QUALITY =
            Pattern.compile(";\\s*[qQ]\\s*=\\s*(0(?:\\.\\d{0,3})?|1(?:\\.0{0,3})?)\\s*(?:;|$)");
    private static final Pattern ANY_QUALITY = Pattern.compile(";\\s*[qQ]\\s*=");
    private static final List<String> OFFERS = List.of("text/html", "text/plain", "application/json");

    private Accept() {}

    /** The forms an answer can have. */
    public enum Form {
        TEXT,
        JSON
    }

    private record Range(String type, String subtype, double quality) {

        int fit(String offer) {
            String[] parts = offer.split("/");
            if (type.equals(parts[0]) && subtype.equals(parts[1])) {
                return 3;
            } else if (type.equals(parts[0]) && subtype.equals("*")) {
                return 2;
            }
            return type.equals("*") && subtype.equals("*") ? 1 : 0;
        }
    }

    /** The form wanted; absent if the client accepts none. No header, or one that makes no sense, wants text. */
    public static Optional<Form> form(Optional<String> header) {
        if (header.isEmpty() || header.get().isBlank()) {
            return Optional.of(Form.TEXT);
        }
        List<Optional<Range>> ranges =
                Stream.of(header.get().split(",")).map(Accept::range).toList();
        if (ranges.stream().anyMatch(Optional::isEmpty)) {
            return Optional.of(Form.TEXT);
        }
        List<Range> understood = ranges.stream().flatMap(Optional::stream).toList();
        String best = "";
        double highest = 0;
        for (String offer : OFFERS) {
            double quality = quality(offer, understood);
            if (quality > highest) {
                best = offer;
                highest = quality;
            }
        }
        if (best.isEmpty()) {
            return Optional.empty();
        }
        return Optional.of(best.equals("application/json") ? Form.JSON : Form.TEXT);
    }

    /** Whether errors are best told as JSON. */
    public static boolean prefersJson(Optional<String> header) {
        return form(header).orElse(Form.JSON) == Form.JSON;
    }

    /** Of the range that fits best, as RFC 9110 has it. */
    private static double quality(String offer, List<Range> ranges) {
        int closest = 0;
        double quality = 0;
        for (Range range : ranges) {
            int fit = range.fit(offer);
            if (fit > closest || (fit == closest && fit > 0 && range.quality() > quality)) {
                closest = fit;
                quality = range.quality();
            }
        }
        return quality;
    }

    private static Optional<Range> range(String text) {
        Matcher range = RANGE.matcher(text);
        if (!range.matches()) {
            return Optional.empty();
        }
        Matcher quality = QUALITY.matcher(range.group(3));
        if (!quality.find() && ANY_QUALITY.matcher(range.group(3)).find()) {
            return Optional.empty();
        }
        quality.reset();
        return Optional.of(new Range(
                range.group(1).toLowerCase(Locale.ROOT),
                range.group(2).toLowerCase(Locale.ROOT),
                quality.find() ? Double.parseDouble(quality.group(1)) : 1));
    }
}
