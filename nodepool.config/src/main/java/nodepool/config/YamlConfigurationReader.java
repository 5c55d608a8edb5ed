package nodepool.config;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import nodepool.api.config.Configuration;
import nodepool.api.config.ConfigurationReader;
import nodepool.api.config.DiskImage;
import nodepool.api.config.Label;
import nodepool.api.config.Problem.Severity;
import nodepool.api.config.ProviderEntry;
import nodepool.api.config.Schema;
import nodepool.api.config.Section;
import nodepool.api.config.ZooKeeperConfig;
import nodepool.api.driver.Driver;
import nodepool.api.driver.LoadContext;
import nodepool.api.driver.ProviderConfig;
import nodepool.api.quota.QuotaInformation;
import org.osgi.service.component.annotations.Component;
import org.yaml.snakeyaml.nodes.MappingNode;
import org.yaml.snakeyaml.nodes.NodeTuple;
import org.yaml.snakeyaml.nodes.ScalarNode;
import org.yaml.snakeyaml.nodes.SequenceNode;

/** Reads {@code nodepool.yaml}. Also found by {@link java.util.ServiceLoader}. */
@Component(service = ConfigurationReader.class)
public final class YamlConfigurationReader implements ConfigurationReader {

    @Override
    public Result read(
            Path config, Optional<Path> secure, Map<String, String> environment, Collection<Driver> drivers) {
        Problems problems = new Problems();
        Optional<MappingNode> root = YamlText.read(config, environment, false, problems);
        if (root.isEmpty()) {
            return new Result(Optional.empty(), problems.sorted());
        }
        YamlSection top = new SchemaCheck(config.toString(), problems).check(root.get(), GlobalSchema.TOP, "");
        Optional<YamlSection> secret = secure.flatMap(file -> YamlText.read(file, environment, true, problems)
                .map(found -> new SchemaCheck(file.toString(), problems).check(found, GlobalSchema.TOP, "")));
        DiskImages images = new DiskImages(top.sections("diskimages"), problems);
        secret.ifPresent(found ->
                found.sections("diskimages").forEach(one -> images.secret(one, String.valueOf(secure.get()))));
        Map<String, DiskImage> built = images.resolve();
        Map<String, Label> labels = labels(top);
        List<ProviderEntry> providers =
                new ProviderEntries(config.toString(), labels, built, images, drivers, problems).read(root.get());
        questionLabels(top, providers, problems);
        Configuration value = new Configuration(
                zookeeper(top, secret, problems),
                webapp(top),
                new Configuration.Builder(
                        top.text("elements-dir"),
                        top.text("images-dir").map(Path::of),
                        Path.of(top.require("build-log-dir")),
                        top.integer("build-log-retention", 7)),
                labels,
                built,
                providers,
                tenants(top),
                Duration.ofSeconds(Math.max(0, top.integer("max-hold-age", 0))),
                new Configuration.Compat(
                        top.section("compat")
                                .map(one -> one.bool("register-launchers", false))
                                .orElse(false),
                        top.section("metrics")
                                .map(one -> one.bool("escape-dots", false))
                                .orElse(false)),
                problems.sorted());
        return new Result(problems.hasErrors() ? Optional.empty() : Optional.of(value), problems.sorted());
    }

    private static Configuration.WebApp webapp(Section top) {
        return top.section("webapp")
                .map(one -> new Configuration.WebApp(one.require("listen_address"), one.integer("port", 8005)))
                .orElse(new Configuration.WebApp("0.0.0.0", 8005));
    }

    private static Map<String, Label> labels(Section top) {
        Map<String, Label> labels = new LinkedHashMap<>();
        for (Section one : top.sections("labels")) {
            String name = one.require("name");
            labels.put(
                    name,
                    new Label(name, one.integer("min-ready", 0), Duration.ofSeconds(one.integer("max-ready-age", 0))));
        }
        return labels;
    }

    private static void questionLabels(Section top, List<ProviderEntry> providers, Problems problems) {
        Set<String> offered = new LinkedHashSet<>();
        boolean allRead = true;
        for (ProviderEntry entry : providers) {
            allRead &= entry.config().isPresent();
            entry.config().ifPresent(config -> config.pools().forEach(pool -> offered.addAll(pool.labelNames())));
        }
        if (allRead) {
            for (Section one : top.sections("labels")) {
                if (!offered.contains(one.require("name"))) {
                    problems.warning(one.at(), one.path(), "label " + one.require("name") + " is offered by no pool");
                }
            }
        }
    }

    private static Map<String, QuotaInformation> tenants(Section top) {
        Map<String, QuotaInformation> tenants = new LinkedHashMap<>();
        for (Section one : top.sections("tenant-resource-limits")) {
            Map<String, Double> amounts = new TreeMap<>();
            one.numbers("").forEach(amounts::put);
            for (Map.Entry<String, String> key : TENANT_KEYS.entrySet()) {
                one.number(key.getKey()).ifPresent(limit -> amounts.put(key.getValue(), limit));
            }
            tenants.put(one.require("tenant-name"), QuotaInformation.limits(amounts));
        }
        return tenants;
    }

    private static final Map<String, String> TENANT_KEYS = Map.of(
            "max-servers", QuotaInformation.INSTANCES,
            "max-cores", QuotaInformation.CORES,
            "max-ram", QuotaInformation.RAM,
            "max-volumes", QuotaInformation.VOLUMES,
            "max-volume-gb", QuotaInformation.VOLUME_GB);

    private static Optional<ZooKeeperConfig> zookeeper(Section top, Optional<YamlSection> secret, Problems problems) {
        Section servers = secret.filter(
                        one -> !one.sections("zookeeper-servers").isEmpty())
                .map(Section.class::cast)
                .orElse(top);
        Optional<Section> tls =
                secret.flatMap(one -> one.section("zookeeper-tls")).or(() -> top.section("zookeeper-tls"));
        List<String> addresses = new ArrayList<>();
        Set<String> chroots = new LinkedHashSet<>();
        for (Section one : servers.sections("zookeeper-servers")) {
            String host = one.require("host");
            String literal = host.contains(":") && !host.startsWith("[") ? "[" + host + "]" : host;
            addresses.add(literal + ":" + one.integer("port", tls.isPresent() ? 2281 : 2181));
            one.text("chroot").ifPresent(chroots::add);
        }
        if (addresses.isEmpty()) {
            problems.error(top.at("zookeeper-servers"), "", "No ZooKeeper servers specified in config.");
            return Optional.empty();
        }
        if (chroots.size() > 1) {
            problems.error(
                    servers.at("zookeeper-servers"),
                    "zookeeper-servers",
                    "the servers have different chroots: " + String.join(", ", chroots));
        }
        tls.ifPresent(one -> readable(one, problems));
        return Optional.of(new ZooKeeperConfig(
                addresses,
                chroots.stream().findFirst().orElse(""),
                Duration.ofMillis((long) (top.number("zookeeper-timeout").orElse(10.0) * 1000)),
                tls.map(one -> new ZooKeeperConfig.Tls(
                        Path.of(one.require("cert")),
                        Path.of(one.require("key")),
                        Path.of(one.require("ca")),
                        one.bool("verify-hostname", false)))));
    }

    private static void readable(Section tls, Problems problems) {
        for (String key : List.of("cert", "key", "ca")) {
            tls.text(key)
                    .filter(file -> !Files.isReadable(Path.of(file)))
                    .ifPresent(file ->
                            problems.warning(tls.at(key), tls.path(), key + ": the file " + file + " cannot be read"));
        }
    }

    /** Reads the entries under {@code providers} with their drivers. */
    private record ProviderEntries(
            String file,
            Map<String, Label> labels,
            Map<String, DiskImage> images,
            DiskImages all,
            Collection<Driver> drivers,
            Problems problems) {

        private static final Schema NAMES =
                new Schema(Schema.commonProvider().keys(), Optional.of(Schema.Type.ANY), List.of());

        List<ProviderEntry> read(MappingNode root) {
            List<ProviderEntry> entries = new ArrayList<>();
            NodeTuple tuple = SchemaCheck.members(root).get("providers");
            if (tuple != null && tuple.getValueNode() instanceof SequenceNode list) {
                Set<String> names = new LinkedHashSet<>();
                list.getValue().forEach(item -> {
                    if (item instanceof MappingNode provider) {
                        ProviderEntry entry = entry(provider);
                        if (!names.add(entry.name())) {
                            problems.error(
                                    entry.section().at(),
                                    entry.section().path(),
                                    "the name " + entry.name() + " is already used");
                        }
                        entries.add(entry);
                    }
                });
            }
            return entries;
        }

        private ProviderEntry entry(MappingNode provider) {
            String name = scalar(provider, "name").orElse("");
            String path = "providers[" + name + "]";
            String driverName = name.startsWith("fake")
                    ? "fake"
                    : scalar(provider, "driver").orElse("openstack");
            Optional<Driver> driver = drivers.stream()
                    .filter(one -> one.name().equals(driverName))
                    .findFirst();
            YamlSection section = new SchemaCheck(file, problems)
                    .check(provider, driver.map(Driver::getSchema).orElse(NAMES), path);
            if (driver.isEmpty()) {
                List<String> installed =
                        drivers.stream().map(Driver::name).sorted().toList();
                problems.add(
                        Severity.UNKNOWN_KEY,
                        section.at("driver"),
                        path,
                        driverName + ": unknown driver; installed are " + String.join(", ", installed));
                return new ProviderEntry(name, driverName, section, Optional.empty());
            }
            long before = problems.count();
            ProviderConfig config = driver.get().getProviderConfig(section, new Context());
            boolean fine = problems.count() == before;
            return new ProviderEntry(name, driverName, section, fine ? Optional.of(config) : Optional.empty());
        }

        private static Optional<String> scalar(MappingNode mapping, String key) {
            NodeTuple tuple = SchemaCheck.members(mapping).get(key);
            return tuple != null && tuple.getValueNode() instanceof ScalarNode text
                    ? Optional.of(text.getValue())
                    : Optional.empty();
        }

        private final class Context implements LoadContext {
            @Override
            public Map<String, Label> labels() {
                return labels;
            }

            @Override
            public Map<String, DiskImage> diskImages() {
                return images;
            }

            @Override
            public boolean isAbstract(String diskImage) {
                return all.isAbstract(diskImage);
            }

            @Override
            public void error(Section at, String key, String message) {
                problems.error(at.at(key), at.path(), message);
            }

            @Override
            public void warning(Section at, String key, String message) {
                problems.warning(at.at(key), at.path(), message);
            }
        }
    }
}
