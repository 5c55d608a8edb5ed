package nodepool.launcher;

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
import nodepool.api.driver.PoolConfig;
import nodepool.api.driver.ProviderConfig;
import nodepool.api.json.JsonValue;
import nodepool.api.json.JsonValue.JsonNull;
import nodepool.api.node.Node;
import nodepool.api.quota.QuotaInformation;

/** A provider of a {@link ScriptedCloud}, as tests write it in YAML. */
record ScriptedConfig(String name, int maxConcurrency, int launchRetries, Duration launchTimeout, List<Pool> pools)
        implements ProviderConfig {

    private static final Schema IMAGE = Schema.of(Key.required("name", Type.TEXT, "Its name"));

    private static final Schema LABEL = Schema.of(
            Key.required("name", Type.TEXT, "A label of the main list"),
            Key.optional("cloud-image", Type.TEXT, "The cloud's image; the one called missing is not there"),
            Key.optional("diskimage", Type.TEXT, "A managed image"),
            Key.optional("cores", Type.COUNT, "Of one server").byDefault(4),
            Key.optional("ram", Type.COUNT, "MiB of one server").byDefault(8192),
            Key.optional("volume-gb", Type.COUNT, "GB of one server's volume; without it there is none"),
            Key.optional("connection-type", Type.TEXT, "How users log in"),
            Key.optional("host-key-checking", Type.BOOL, "Whether host keys are gathered"),
            Key.optional("console-log", Type.BOOL, "Whether the console is kept when nobody answers"),
            Key.optional("broken", Type.BOOL, "Whether the cloud refuses it for ever"));

    private static final Schema POOL = Schema.commonPool()
            .with(
                    Key.optional("max-cores", Type.COUNT, "Cores at the same time"),
                    Key.optional("max-ram", Type.COUNT, "MiB at the same time"),
                    Key.optional("max-volumes", Type.COUNT, "Volumes at the same time"),
                    Key.optional("max-volume-gb", Type.COUNT, "GB of volumes at the same time"),
                    Key.optional("ignore-provider-quota", Type.BOOL, "Whether only the pool's limits count"),
                    Key.optional("availability-zones", Type.TEXTS, "Zones to use; the cloud's if left out"),
                    Key.optional("labels", Type.listOf(LABEL, "name"), "What it serves"));

    static final Schema PROVIDER = Schema.commonProvider()
            .with(
                    Key.optional("launch-timeout", Type.COUNT, "Seconds for one attempt"),
                    Key.optional("launch-retries", Type.COUNT, "Attempts"),
                    Key.optional("token", Type.SECRET, "Credential"),
                    Key.optional("cloud-images", Type.listOf(IMAGE, "name"), "Images the cloud should have"),
                    Key.optional("diskimages", Type.listOf(IMAGE, "name"), "Managed images"),
                    Key.optional("pools", Type.listOf(POOL, "name"), "Pools"));

    ScriptedConfig {
        pools = List.copyOf(pools);
    }

    static ScriptedConfig read(Section section) {
        List<Pool> pools = new ArrayList<>();
        for (Section pool : section.sections("pools")) {
            pools.add(Pool.read(section, pool));
        }
        return new ScriptedConfig(
                section.require("name"),
                section.integer("max-concurrency", -1),
                section.integer("launch-retries", 3),
                Duration.ofSeconds(section.integer("launch-timeout", 3600)),
                pools);
    }

    @Override
    public String driver() {
        return ScriptedDriver.WORD;
    }

    @Override
    public ProviderConfig withoutCapacity() {
        return new ScriptedConfig(
                name,
                0,
                launchRetries,
                launchTimeout,
                pools.stream().map(Pool::withoutCapacity).toList());
    }

    /** A pool. */
    record Pool(
            String name,
            OptionalInt maxServers,
            int priority,
            QuotaInformation limits,
            boolean ignoreProviderQuota,
            JsonValue nodeAttributes,
            List<String> zones,
            List<Label> labels)
            implements PoolConfig {

        private static final Map<String, String> LIMITS = Map.of(
                "max-servers", QuotaInformation.INSTANCES,
                "max-cores", QuotaInformation.CORES,
                "max-ram", QuotaInformation.RAM,
                "max-volumes", QuotaInformation.VOLUMES,
                "max-volume-gb", QuotaInformation.VOLUME_GB);

        private Pool withoutCapacity() {
            return new Pool(
                    name,
                    OptionalInt.empty(),
                    0,
                    QuotaInformation.UNLIMITED,
                    ignoreProviderQuota,
                    nodeAttributes,
                    zones,
                    labels);
        }

        static Pool read(Section provider, Section pool) {
            Map<String, Double> limits = new LinkedHashMap<>();
            LIMITS.forEach((key, resource) -> pool.number(key).ifPresent(limit -> limits.put(resource, limit)));
            return new Pool(
                    pool.require("name"),
                    pool.integer("max-servers"),
                    pool.integer("priority", provider.integer("priority", 100)),
                    QuotaInformation.limits(limits),
                    pool.bool("ignore-provider-quota", false),
                    pool.json("node-attributes").orElse(JsonNull.NULL),
                    pool.texts("availability-zones"),
                    pool.sections("labels").stream().map(Label::read).toList());
        }

        @Override
        public Set<String> labelNames() {
            Set<String> names = new LinkedHashSet<>();
            labels.forEach(label -> names.add(label.name()));
            return names;
        }
    }

    /** A label. */
    record Label(
            String name,
            Optional<String> diskImage,
            Optional<String> cloudImage,
            QuotaInformation uses,
            Node.Connection connection,
            boolean hostKeyChecking,
            boolean consoleLog,
            boolean broken)
            implements LabelConfig {

        static Label read(Section section) {
            Map<String, Double> uses = new LinkedHashMap<>();
            uses.put(QuotaInformation.INSTANCES, 1.0);
            uses.put(QuotaInformation.CORES, (double) section.integer("cores", 4));
            uses.put(QuotaInformation.RAM, (double) section.integer("ram", 8192));
            section.number("volume-gb").ifPresent(size -> {
                uses.put(QuotaInformation.VOLUMES, 1.0);
                uses.put(QuotaInformation.VOLUME_GB, size);
            });
            Optional<String> diskImage = section.text("diskimage");
            return new Label(
                    section.require("name"),
                    diskImage,
                    section.text("cloud-image").or(() -> diskImage.isEmpty() ? Optional.of("noble") : Optional.empty()),
                    QuotaInformation.needs(uses),
                    ScriptedAdapter.connection(section.text("connection-type").orElse("ssh")),
                    section.bool("host-key-checking", true),
                    section.bool("console-log", false),
                    section.bool("broken", false));
        }
    }
}
