package nodepool.driver.fake;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import nodepool.api.config.Schema;
import nodepool.api.config.Schema.Key;
import nodepool.api.config.Schema.Type;
import nodepool.api.config.Section;
import nodepool.api.driver.LabelConfig;
import nodepool.api.driver.LoadContext;
import nodepool.api.driver.PoolConfig;
import nodepool.api.driver.ProviderConfig;
import nodepool.api.driver.WantedImages;
import nodepool.api.json.JsonValue;
import nodepool.api.json.JsonValue.JsonNull;
import nodepool.api.node.Node;
import nodepool.api.quota.QuotaInformation;

/**
 * A provider of the fake cloud.
 *
 * @param callTimeout for one call to the cloud
 * @param delay from a server's creation until it is active
 * @param servers how many the cloud holds
 * @param journal the file by which several processes share the cloud; absent for a cloud of this process alone
 * @param uploads how images get into it
 */
record FakeConfig(
        String name,
        int maxConcurrency,
        int launchRetries,
        Duration launchTimeout,
        Duration callTimeout,
        Duration delay,
        int servers,
        Optional<Path> journal,
        FakeUploads uploads,
        List<Pool> pools)
        implements ProviderConfig {

    static final Schema LABEL = Schema.of(
                    Key.required("name", Type.TEXT, "A label of the main list"),
                    Key.optional("cloud-image", Type.TEXT, "One of the provider's cloud-images"),
                    Key.optional("diskimage", Type.TEXT, "An image of the main list"),
                    Key.optional("min-ram", Type.COUNT, "MiB").byDefault(8192),
                    Key.optional("flavor-name", Type.TEXT, "Not looked at"))
            .with(Schema.Rule.atMostOne("cloud-image", "diskimage"));

    static final Schema POOL = Schema.commonPool()
            .with(
                    Key.optional("max-cores", Type.COUNT, "Cores at the same time"),
                    Key.optional("max-ram", Type.COUNT, "MiB at the same time"),
                    Key.optional("availability-zones", Type.TEXTS, "Zones to use; the cloud's if left out"),
                    Key.optional("labels", Type.listOf(LABEL, "name"), "What it serves"));

    static final Schema PROVIDER = Schema.commonProvider()
            .with(
                    Key.optional("cloud", Type.TEXT, "Not looked at"),
                    Key.optional("region-name", Type.TEXT, "Not looked at"),
                    Key.optional("rate", Type.NUMBER, "Not looked at"),
                    Key.optional("boot-timeout", Type.COUNT, "Not looked at"),
                    Key.optional("launch-timeout", Type.COUNT, "Seconds for one attempt")
                            .byDefault(3600),
                    Key.optional("call-timeout", new Type.Int(1, 3600), "Seconds for one call to the cloud")
                            .byDefault(60),
                    Key.optional("launch-retries", new Type.Int(1, 1000), "Attempts")
                            .byDefault(3),
                    Key.optional("fake-delay", Type.NUMBER, "Seconds until a server is active")
                            .byDefault(new JsonValue.JsonNumber("0.1")),
                    Key.optional("fake-servers", Type.COUNT, "Servers the cloud holds")
                            .byDefault(20),
                    Key.optional("fake-journal", Type.TEXT, "File that keeps the servers, for processes to share"),
                    Key.optional(
                            "cloud-images",
                            Type.listOf(
                                    Schema.of(
                                            Key.required("name", Type.TEXT, "Its name"),
                                            Key.optional("image-name", Type.TEXT, "Not looked at"),
                                            Key.optional("image-id", Type.TEXT, "Not looked at"),
                                            Key.optional("username", Type.TEXT, "Login name")
                                                    .byDefault("zuul")),
                                    "name"),
                            "Images the cloud has"),
                    Key.optional("pools", Type.listOf(POOL, "name"), "Pools"))
            .with(FakeUploads.KEYS.toArray(Key[]::new));

    FakeConfig {
        pools = List.copyOf(pools);
    }

    static FakeConfig read(Section section, LoadContext load) {
        List<Pool> pools = new ArrayList<>();
        for (Section pool : section.sections("pools")) {
            pools.add(Pool.read(section, pool, load));
        }
        return new FakeConfig(
                section.require("name"),
                section.integer("max-concurrency", -1),
                section.integer("launch-retries", 3),
                Duration.ofSeconds(section.integer("launch-timeout", 3600)),
                Duration.ofSeconds(section.integer("call-timeout", 60)),
                Duration.ofMillis((long) (section.number("fake-delay").orElse(0.1) * 1000)),
                section.integer("fake-servers", 20),
                section.text("fake-journal").map(Path::of),
                FakeUploads.read(section),
                pools);
    }

    @Override
    public String driver() {
        return FakeDriver.WORD;
    }

    @Override
    public Optional<WantedImages> wantedImages() {
        return Optional.of(uploads.wanted());
    }

    @Override
    public ProviderConfig withoutCapacity() {
        return new FakeConfig(
                name,
                0,
                launchRetries,
                launchTimeout,
                callTimeout,
                delay,
                servers,
                journal,
                uploads,
                pools.stream().map(Pool::withoutCapacity).toList());
    }

    /** A pool of the fake cloud. */
    record Pool(
            String name,
            OptionalInt maxServers,
            int priority,
            QuotaInformation limits,
            JsonValue nodeAttributes,
            List<String> zones,
            List<Label> labels)
            implements PoolConfig {

        private Pool withoutCapacity() {
            return new Pool(name, OptionalInt.empty(), 0, QuotaInformation.UNLIMITED, nodeAttributes, zones, labels);
        }

        static Pool read(Section provider, Section pool, LoadContext load) {
            List<Label> labels = new ArrayList<>();
            for (Section label : pool.sections("labels")) {
                String name = label.require("name");
                if (!load.labels().containsKey(name)) {
                    load.error(
                            label,
                            "name",
                            "label %s in provider %s not in top-level labels"
                                    .formatted(name, provider.require("name")));
                }
                labels.add(new Label(
                        name, label.text("diskimage"), label.text("cloud-image"), label.integer("min-ram", 8192)));
            }
            Map<String, Double> limits = new LinkedHashMap<>();
            pool.number("max-servers").ifPresent(limit -> limits.put(QuotaInformation.INSTANCES, limit));
            pool.number("max-cores").ifPresent(limit -> limits.put(QuotaInformation.CORES, limit));
            pool.number("max-ram").ifPresent(limit -> limits.put(QuotaInformation.RAM, limit));
            return new Pool(
                    pool.require("name"),
                    pool.integer("max-servers"),
                    pool.integer("priority", provider.integer("priority", 100)),
                    QuotaInformation.limits(limits),
                    pool.json("node-attributes").orElse(JsonNull.NULL),
                    pool.texts("availability-zones"),
                    labels);
        }

        @Override
        public Set<String> labelNames() {
            Set<String> names = new LinkedHashSet<>();
            labels.forEach(label -> names.add(label.name()));
            return names;
        }
    }

    /** A label of the fake cloud. */
    record Label(String name, Optional<String> diskImage, Optional<String> cloudImage, int ram) implements LabelConfig {

        /** Nothing listens at a fake machine's address. */
        @Override
        public boolean hostKeyChecking() {
            return false;
        }

        @Override
        public Node.Connection connection() {
            return new Node.Connection(
                    JsonValue.of(22),
                    Optional.of("ssh"),
                    Optional.of("zuul"),
                    Optional.empty(),
                    Optional.of("auto"),
                    List.of());
        }
    }
}
