package nodepool.config;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import nodepool.api.config.Configuration;
import nodepool.api.config.ConfigurationReader;
import nodepool.api.config.DiskImage;
import nodepool.api.config.Label;
import nodepool.api.config.ProviderEntry;
import nodepool.api.config.Section;
import nodepool.api.driver.Driver;
import nodepool.api.json.JsonValue;
import nodepool.api.quota.QuotaInformation;
import org.osgi.service.component.annotations.Component;
import org.yaml.snakeyaml.nodes.MappingNode;

/** Reads {@code nodepool.yaml}. Also found by {@link java.util.ServiceLoader}. */
@Component(service = ConfigurationReader.class)
public final class YamlConfigurationReader implements ConfigurationReader {

    private static final Map<String, String> TENANT_KEYS = Map.of(
            "max-servers", QuotaInformation.INSTANCES,
            "max-cores", QuotaInformation.CORES,
            "max-ram", QuotaInformation.RAM,
            "max-volumes", QuotaInformation.VOLUMES,
            "max-volume-gb", QuotaInformation.VOLUME_GB);

    @Override
    public Result read(
            Path config, Optional<Path> secure, Map<String, String> environment, Collection<Driver> drivers) {
        Problems problems = new Problems();
        Optional<MappingNode> root = new YamlText(config, false, environment, problems).read();
        Optional<YamlSection> secret = secure.flatMap(file -> secure(file, environment, problems));
        if (root.isEmpty()) {
            return new Result(Optional.empty(), problems.sorted());
        }
        YamlSection top = new SchemaCheck(config.toString(), problems).check(root.get(), GlobalSchema.TOP, "");
        DiskImages images = new DiskImages(top.sections("diskimages"), problems);
        secret.ifPresent(found ->
                found.sections("diskimages").forEach(one -> images.secret(one, String.valueOf(secure.get()))));
        Map<String, DiskImage> built = images.resolve();
        Map<String, Label> labels = labels(top);
        ProviderEntries entries = new ProviderEntries(config.toString(), labels, built, images, drivers, problems);
        List<ProviderEntry> providers = entries.read(root.get());
        if (entries.allRead()) {
            questionLabels(top, entries.offeredLabels(), problems);
            questionImages(top, built, providers, problems);
        }
        Configuration value = new Configuration(
                new ZooKeeperReader(top, secret, secure.isPresent(), problems).read(),
                webapp(top),
                builder(top, problems),
                labels,
                built,
                providers,
                tenants(top, problems),
                Duration.ofSeconds(Math.max(0, top.integer("max-hold-age", 0))),
                compat(top),
                problems.sorted());
        return new Result(problems.hasErrors() ? Optional.empty() : Optional.of(value), problems.sorted());
    }

    private static Optional<YamlSection> secure(Path file, Map<String, String> environment, Problems problems) {
        Optional<YamlSection> secret = new YamlText(file, true, environment, problems)
                .read()
                .map(found -> new SchemaCheck(file.toString(), true, problems).check(found, GlobalSchema.SECURE, ""));
        secret.ifPresent(found -> {
            ignored(found, Set.of("zookeeper-servers", "zookeeper-tls", "diskimages"), problems);
            found.sections("diskimages")
                    .forEach(one -> ignored((YamlSection) one, Set.of("name", "env-vars"), problems));
        });
        return secret;
    }

    private static void ignored(YamlSection section, Set<String> used, Problems problems) {
        for (String key : section.members().keySet()) {
            if (!used.contains(key)) {
                problems.warning(section.at(key), section.path(), key + " is ignored in the secure file");
            }
        }
    }

    private static Configuration.WebApp webapp(Section top) {
        return top.section("webapp")
                .map(one -> new Configuration.WebApp(one.require("listen_address"), one.integer("port", 8005)))
                .orElse(new Configuration.WebApp("0.0.0.0", 8005));
    }

    private static Configuration.Builder builder(Section top, Problems problems) {
        Optional<String> images = top.text("images-dir");
        if (images.filter(String::isBlank).isPresent()) {
            problems.error(top.at("images-dir"), "images-dir", "the path is empty");
        } else if (images.isEmpty() && !top.sections("diskimages").isEmpty()) {
            problems.warning(
                    top.at("diskimages"),
                    "diskimages",
                    "No images-dir specified in config. A builder cannot do without");
        }
        return new Configuration.Builder(
                top.text("elements-dir"),
                images.map(Path::of),
                Path.of(top.require("build-log-dir")),
                top.integer("build-log-retention", 7));
    }

    private static Configuration.Compat compat(Section top) {
        return new Configuration.Compat(
                top.section("compat")
                        .map(one -> one.bool("register-launchers", false))
                        .orElse(false),
                top.section("metrics")
                        .map(one -> one.bool("escape-dots", false))
                        .orElse(false));
    }

    private static Map<String, Label> labels(Section top) {
        Map<String, Label> labels = new LinkedHashMap<>();
        for (Section one : top.sections("labels")) {
            one.text("name")
                    .ifPresent(name -> labels.put(
                            name,
                            new Label(
                                    name,
                                    one.integer("min-ready", 0),
                                    Duration.ofSeconds(one.integer("max-ready-age", 0)))));
        }
        return labels;
    }

    private static void questionLabels(Section top, Set<String> offered, Problems problems) {
        for (Section one : top.sections("labels")) {
            String name = one.require("name");
            if (!name.isEmpty() && !offered.contains(name)) {
                problems.warning(one.at(), one.path(), "label " + name + " is offered by no pool");
            }
        }
    }

    /** Formats are asked for by an image itself or by the providers that list it. */
    private static void questionImages(
            Section top, Map<String, DiskImage> images, List<ProviderEntry> providers, Problems problems) {
        Set<String> listed = new HashSet<>();
        providers.forEach(entry -> entry.section()
                .sections("diskimages")
                .forEach(one -> one.text("name").ifPresent(listed::add)));
        for (Section one : top.sections("diskimages")) {
            Optional<DiskImage> image = one.text("name").flatMap(name -> Optional.ofNullable(images.get(name)));
            if (image.filter(found -> found.formats().isEmpty() && !listed.contains(found.name()))
                    .isPresent()) {
                problems.warning(
                        one.at(), one.path(), "no format: neither it nor a provider asks for one, so it is not built");
            }
        }
    }

    private static Map<String, QuotaInformation> tenants(Section top, Problems problems) {
        Map<String, QuotaInformation> tenants = new LinkedHashMap<>();
        for (Section one : top.sections("tenant-resource-limits")) {
            Map<String, Double> amounts = new TreeMap<>();
            Map<String, JsonValue> values = one.members();
            values.forEach((key, value) -> value.asNumber()
                    .ifPresent(limit -> amounts.put(TENANT_KEYS.getOrDefault(key, key), limit.doubleValue())));
            for (String key : values.keySet()) {
                if (key.startsWith("max-") && !TENANT_KEYS.containsKey(key)) {
                    problems.warning(
                            one.at(key),
                            one.path(),
                            key + " limits a resource of exactly that name; known are "
                                    + String.join(
                                            ", ",
                                            TENANT_KEYS.keySet().stream()
                                                    .sorted()
                                                    .toList()));
                }
            }
            one.text("tenant-name").ifPresent(name -> tenants.put(name, QuotaInformation.limits(amounts)));
        }
        return tenants;
    }
}
