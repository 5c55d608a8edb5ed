package nodepool.builder.dib;

import java.util.ArrayList;
import java.util.List;

/** Splits text into words as a POSIX shell does, without expanding anything. */
final class ShellWords {

    private final String text;
    private final List<String> words = new ArrayList<>();
    private final StringBuilder word = new StringBuilder();
    private boolean inWord;
    private int at;

    private ShellWords(String text) {
        this.text = text;
    }

    /** @throws IllegalArgumentException if a quote is not closed or nothing follows a backslash */
    static List<String> split(String text) {
        return new ShellWords(text).split();
    }

    private List<String> split() {
        while (at < text.length()) {
            char next = text.charAt(at++);
            switch (next) {
                case '\'' -> singleQuoted();
                case '"' -> doubleQuoted();
                case '\\' -> escaped();
                default -> {
                    if (Character.isWhitespace(next)) {
                        end();
                    } else {
                        add(next);
                    }
                }
            }
        }
        end();
        return List.copyOf(words);
    }

    private void add(char next) {
        inWord = true;
        word.append(next);
    }

    private void end() {
        if (inWord) {
            words.add(word.toString());
            word.setLength(0);
            inWord = false;
        }
    }

    private void singleQuoted() {
        int close = text.indexOf('\'', at);
        if (close < 0) {
            throw new IllegalArgumentException("a single quote is not closed in: " + text);
        }
        inWord = true;
        word.append(text, at, close);
        at = close + 1;
    }

    /** Only a quote and a backslash can be escaped in here. */
    private void doubleQuoted() {
        inWord = true;
        while (at < text.length()) {
            char next = text.charAt(at++);
            if (next == '"') {
                return;
            }
            boolean escapes = next == '\\' && at < text.length() && "\"\\".indexOf(text.charAt(at)) >= 0;
            word.append(escapes ? text.charAt(at++) : next);
        }
        throw new IllegalArgumentException("a double quote is not closed in: " + text);
    }

    private void escaped() {
        if (at == text.length()) {
            throw new IllegalArgumentException("nothing follows the last backslash in: " + text);
        }
        add(text.charAt(at++));
    }
}
