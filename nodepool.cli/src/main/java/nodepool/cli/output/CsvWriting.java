package nodepool.cli.output;

import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Records separated by commas, as RFC 4180 has them, with the line ends of this system. */
final class CsvWriting {

    private static final Pattern NEEDS_QUOTES = Pattern.compile("[,\"\\r\\n]|^\\s|\\s$");

    private CsvWriting() {}

    static String line(List<String> cells) {
        return cells.stream().map(CsvWriting::cell).collect(Collectors.joining(","));
    }

    private static String cell(String text) {
        return NEEDS_QUOTES.matcher(text).find() ? '"' + text.replace("\"", "\"\"") + '"' : text;
    }
}
