package nodepool.config;

import java.util.Comparator;
import java.util.Map;
import java.util.Set;
import nodepool.api.config.Schema;
import nodepool.api.config.Schema.Key;

/** What to say about a key that nobody knows. */
final class UnknownKeys {

    private static final Set<String> GONE = Set.of(
            "cron",
            "zmq-publishers",
            "gearman-servers",
            "targets",
            "dburi",
            "image-type",
            "template-hostname",
            "ipv6-preferred");

    /** By level and key; the level is the path without names. */
    private static final Map<String, String> HINTS = Map.of(
            "webapp listen-address", "did you mean listen_address? This one key has an underscore",
            "diskimages[] base", "did you mean parent?",
            "providers[] max-servers", "it belongs into a pool; max-servers: 0 there switches the pool off",
            "providers[] hostname-format", "it is ignored; remove it",
            "providers[] nodepool-id", "it is ignored; remove it",
            "labels[] image", "images are named by the labels of pools",
            "labels[] images", "images are named by the labels of pools",
            "labels[] providers", "providers are where pools name their labels");

    private UnknownKeys() {}

    static String message(Schema schema, String key, String path) {
        String level = path.replaceAll("\\[[^\\]]*]", "[]");
        String hint = HINTS.getOrDefault(
                level + " " + key, GONE.contains(key) ? "not used since Nodepool 3" : near(schema, key));
        return "unknown key " + key + (hint.isEmpty() ? "" : "; " + hint);
    }

    private static String near(Schema schema, String key) {
        return schema.keys().stream()
                .filter(known -> known.deprecated().isEmpty())
                .map(Key::name)
                .filter(known -> distance(known, key) <= Math.max(1, key.length() / 3))
                .min(Comparator.comparingInt(known -> distance(known, key)))
                .map(known -> "did you mean " + known + "?")
                .orElse("");
    }

    /** Levenshtein's distance. */
    private static int distance(String a, String b) {
        int[] row = new int[b.length() + 1];
        for (int j = 0; j <= b.length(); j++) {
            row[j] = j;
        }
        for (int i = 1; i <= a.length(); i++) {
            int diagonal = row[0];
            row[0] = i;
            for (int j = 1; j <= b.length(); j++) {
                int above = row[j];
                int change = diagonal + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
                row[j] = Math.min(change, 1 + Math.min(above, row[j - 1]));
                diagonal = above;
            }
        }
        return row[b.length()];
    }
}
