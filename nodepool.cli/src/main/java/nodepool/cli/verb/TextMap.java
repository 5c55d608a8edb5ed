package nodepool.cli.verb;

import java.util.LinkedHashMap;
import java.util.Map;

/** Reads a JSON object whose values are all text. */
final class TextMap {

    private final String json;
    private int at;

    private TextMap(String json) {
        this.json = json;
    }

    /** @throws IllegalArgumentException if it is anything else, saying where */
    static Map<String, String> read(String json) {
        return new TextMap(json).read();
    }

    private Map<String, String> read() {
        Map<String, String> texts = new LinkedHashMap<>();
        expect('{');
        if (peek() != '}') {
            do {
                String key = text();
                expect(':');
                texts.put(key, text());
            } while (skip(','));
        }
        expect('}');
        if (peek() != '\0') {
            throw wrong("nothing more");
        }
        return texts;
    }

    /** The next character that is no blank; a zero at the end. */
    private char peek() {
        while (at < json.length() && Character.isWhitespace(json.charAt(at))) {
            at++;
        }
        return at < json.length() ? json.charAt(at) : '\0';
    }

    private boolean skip(char wanted) {
        boolean there = peek() == wanted;
        if (there) {
            at++;
        }
        return there;
    }

    private void expect(char wanted) {
        if (!skip(wanted)) {
            throw wrong("'" + wanted + "'");
        }
    }

    private String text() {
        expect('"');
        StringBuilder text = new StringBuilder();
        while (at < json.length()) {
            char next = json.charAt(at++);
            if (next == '"') {
                return text.toString();
            }
            text.append(next == '\\' ? escaped() : next);
        }
        throw wrong("'\"'");
    }

    private char escaped() {
        char kind = at < json.length() ? json.charAt(at++) : '\0';
        return switch (kind) {
            case '"', '\\', '/' -> kind;
            case 'b' -> '\b';
            case 'f' -> '\f';
            case 'n' -> '\n';
            case 'r' -> '\r';
            case 't' -> '\t';
            case 'u' -> unicode();
            default -> throw wrong("an escape");
        };
    }

    private char unicode() {
        if (at + 4 > json.length()) {
            throw wrong("four hex digits");
        }
        String digits = json.substring(at, at + 4);
        at += 4;
        try {
            return (char) Integer.parseInt(digits, 16);
        } catch (NumberFormatException e) {
            throw wrong("four hex digits");
        }
    }

    private IllegalArgumentException wrong(String expected) {
        return new IllegalArgumentException("expected " + expected + " at character " + (at + 1));
    }
}
