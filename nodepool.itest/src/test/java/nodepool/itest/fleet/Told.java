package nodepool.itest.fleet;

import java.time.Instant;
import java.util.List;

/**
 * What a customer has written down: {@code TIME WORD REQUEST NODE...}.
 *
 * @param what {@code asked}, {@code fulfilled}, {@code cancelled}, {@code returned}, {@code took}, {@code used}, or {@code
 *     fault} for what must not happen
 * @param request its id
 * @param rest ids of nodes; for a fault the words that say what it was
 */
record Told(Instant at, String what, String request, List<String> rest) {

    static Told parse(String line) {
        List<String> words = List.of(line.split(" "));
        return new Told(
                Instant.ofEpochMilli(Long.parseLong(words.get(0))),
                words.get(1),
                words.get(2),
                words.subList(3, words.size()));
    }

    boolean is(String word) {
        return what.equals(word);
    }
}
