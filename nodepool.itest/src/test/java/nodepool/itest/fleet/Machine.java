package nodepool.itest.fleet;

import java.io.IOException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A machine of the made-up cloud, as its journal tells.
 *
 * @param node id of the node it was made for
 * @param removed absent if it is still there
 */
record Machine(String id, String node, String provider, String pool, Instant made, Optional<Instant> removed) {

    /** Reads the journal of a cloud, in the order in which the machines were made. */
    static List<Machine> readAll(Path journal) throws IOException {
        Map<String, Machine> machines = new LinkedHashMap<>();
        for (String line : Files.exists(journal) ? Files.readAllLines(journal) : List.<String>of()) {
            List<String> words = Arrays.stream(line.split(" ", -1))
                    .map(word -> URLDecoder.decode(word, StandardCharsets.UTF_8))
                    .toList();
            Instant at = Instant.ofEpochMilli(Long.parseLong(words.get(1)));
            if (words.get(0).equals("created")) {
                machines.put(words.get(2), made(words, at));
            } else if (words.get(0).equals("deleted")) {
                machines.computeIfPresent(words.get(2), (id, machine) -> machine.removedAt(at));
            }
        }
        return new ArrayList<>(machines.values());
    }

    private static Machine made(List<String> words, Instant at) {
        return new Machine(
                words.get(2),
                mark(words, "nodepool_node_id"),
                mark(words, "nodepool_provider_name"),
                mark(words, "nodepool_pool_name"),
                at,
                Optional.empty());
    }

    private static String mark(List<String> words, String key) {
        return words.get(words.subList(6, words.size()).indexOf(key) + 7);
    }

    private Machine removedAt(Instant at) {
        return new Machine(id, node, provider, pool, made, Optional.of(at));
    }

    boolean existsAt(Instant moment) {
        return !made.isAfter(moment)
                && removed.filter(end -> !end.isAfter(moment)).isEmpty();
    }
}
