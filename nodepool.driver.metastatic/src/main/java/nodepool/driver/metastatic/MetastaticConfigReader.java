package nodepool.driver.metastatic;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import nodepool.api.config.Section;
import nodepool.api.driver.LoadContext;
import nodepool.api.json.JsonValue.JsonNull;
import nodepool.driver.metastatic.MetastaticLabel.Backing;

/**
 * Reads one entry and checks what a schema cannot say. Labels that back themselves are found by whoever reads the whole file:
 * a circle may lead through several providers.
 */
final class MetastaticConfigReader {

    private static final List<String> SHARED =
            List.of("max-parallel-jobs", "grace-time", "min-retention-time", "max-age");

    private final LoadContext load;
    private final Map<String, Section> firstWith = new LinkedHashMap<>();

    MetastaticConfigReader(LoadContext load) {
        this.load = load;
    }

    MetastaticConfig read(Section provider) {
        String name = provider.require("name");
        int priority = provider.integer("priority", 100);
        List<MetastaticPool> pools = new ArrayList<>();
        List<Section> labels = new ArrayList<>();
        for (Section pool : provider.sections("pools")) {
            boolean keys = pool.bool("host-key-checking", false);
            labels.addAll(pool.sections("labels"));
            pools.add(new MetastaticPool(
                    pool.require("name"),
                    pool.integer("max-servers"),
                    pool.integer("priority", priority),
                    pool.json("node-attributes").orElse(JsonNull.NULL),
                    pool.sections("labels").stream()
                            .map(label -> label(label, keys))
                            .toList()));
        }
        labels.forEach(label -> check(label, name));
        return new MetastaticConfig(
                name,
                provider.integer("max-concurrency", -1),
                provider.integer("launch-retries", 3),
                Duration.ofSeconds(provider.integer("launch-timeout", 3600)),
                Duration.ofSeconds(provider.integer("boot-timeout", 120)),
                pools);
    }

    private static MetastaticLabel label(Section label, boolean keys) {
        return new MetastaticLabel(
                label.require("name"),
                new Backing(
                        label.require("backing-label"),
                        label.integer("max-parallel-jobs", 1),
                        Duration.ofSeconds(label.integer("grace-time", 60)),
                        Duration.ofSeconds(label.integer("min-retention-time", 0)),
                        label.integer("max-age").isPresent()
                                ? Optional.of(Duration.ofSeconds(label.integer("max-age", 0)))
                                : Optional.empty()),
                label.bool("host-key-checking", keys));
    }

    private void check(Section label, String provider) {
        String name = label.require("name");
        if (!load.labels().containsKey(name)) {
            load.error(label, "name", "label %s in provider %s not in top-level labels".formatted(name, provider));
        }
        int least = label.integer("min-retention-time", 0);
        if (label.integer("max-age").isPresent() && label.integer("max-age", 0) < least) {
            load.error(
                    label,
                    "max-age",
                    "max-age %d is less than min-retention-time %d".formatted(label.integer("max-age", 0), least));
        }
        label.text("backing-label").ifPresent(backing -> {
            Section first = firstWith.putIfAbsent(backing, label);
            if (first != null) {
                same(first, label, backing);
            }
        });
    }

    private void same(Section first, Section label, String backing) {
        List<String> differences = new ArrayList<>();
        for (String key : SHARED) {
            if (!first.integer(key).equals(label.integer(key))) {
                differences.add("%s (%s, %s)".formatted(key, value(first, key), value(label, key)));
            }
        }
        if (!differences.isEmpty()) {
            load.error(
                    label,
                    "backing-label",
                    "Multiple label definitions for the same backing label: %s and %s of %s differ in %s"
                            .formatted(
                                    first.require("name"),
                                    label.require("name"),
                                    backing,
                                    String.join(", ", differences)));
        }
    }

    private static String value(Section label, String key) {
        return label.integer(key).isPresent() ? Integer.toString(label.integer(key, 0)) : "none";
    }
}
