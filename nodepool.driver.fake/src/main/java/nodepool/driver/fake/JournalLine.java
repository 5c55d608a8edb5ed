package nodepool.driver.fake;

import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * A line of the journal of a shared fake cloud: words between blanks, each percent-encoded. Times are milliseconds since
 * 1970.
 *
 * <pre>
 * created TIME ID ACTIVE-AT HOSTNAME ZONE [KEY VALUE]...
 * active TIME ID
 * deleted TIME ID
 * </pre>
 */
sealed interface JournalLine {

    /** When it was written. */
    Instant at();

    /** The line, in ASCII, without its end. */
    String text();

    /** A server was made. */
    record Created(Instant at, FakeCloud.Server server) implements JournalLine {

        @Override
        public String text() {
            List<String> words = new ArrayList<>(List.of(
                    "created", millis(at), server.id(), millis(server.activeAt()), server.hostname(), server.zone()));
            new TreeMap<>(server.metadata()).forEach((key, value) -> words.addAll(List.of(key, value)));
            return line(words);
        }
    }

    /** A server became active before its time: no launcher writes that, only who plays the cloud in a test. */
    record Activated(Instant at, String id) implements JournalLine {

        @Override
        public String text() {
            return line(List.of("active", millis(at), id));
        }
    }

    /** A server was removed. */
    record Deleted(Instant at, String id) implements JournalLine {

        @Override
        public String text() {
            return line(List.of("deleted", millis(at), id));
        }
    }

    /** @throws IllegalArgumentException if it is none */
    static JournalLine parse(String line) {
        List<String> words = new ArrayList<>();
        for (String word : line.split(" ", -1)) {
            words.add(URLDecoder.decode(word, StandardCharsets.UTF_8));
        }
        boolean created = words.get(0).equals("created") && words.size() >= 6 && words.size() % 2 == 0;
        if (!created && !(List.of("active", "deleted").contains(words.get(0)) && words.size() == 3)) {
            throw new IllegalArgumentException("no line of a fake cloud's journal: " + line);
        }
        Instant at = instant(words.get(1));
        String id = words.get(2);
        if (!created) {
            return words.get(0).equals("active") ? new Activated(at, id) : new Deleted(at, id);
        }
        Map<String, String> metadata = new TreeMap<>();
        for (int i = 6; i < words.size(); i += 2) {
            metadata.put(words.get(i), words.get(i + 1));
        }
        return new Created(
                at, new FakeCloud.Server(id, words.get(4), words.get(5), Map.copyOf(metadata), instant(words.get(3))));
    }

    private static String line(List<String> words) {
        List<String> encoded = new ArrayList<>();
        words.forEach(word -> encoded.add(URLEncoder.encode(word, StandardCharsets.UTF_8)));
        return String.join(" ", encoded);
    }

    private static String millis(Instant instant) {
        return Long.toString(instant.toEpochMilli());
    }

    private static Instant instant(String millis) {
        return Instant.ofEpochMilli(Long.parseLong(millis));
    }
}
