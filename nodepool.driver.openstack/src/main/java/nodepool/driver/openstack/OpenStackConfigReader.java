package nodepool.driver.openstack;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import nodepool.api.config.DiskImage;
import nodepool.api.config.Section;
import nodepool.api.driver.LoadContext;
import nodepool.api.image.ImageLogin;
import nodepool.api.json.JsonValue;
import nodepool.api.json.JsonValue.JsonBool;
import nodepool.api.json.JsonValue.JsonNull;
import nodepool.api.json.JsonValue.JsonNumber;
import nodepool.api.json.JsonValue.JsonObject;
import nodepool.api.node.Node;
import nodepool.api.quota.QuotaInformation;
import nodepool.driver.openstack.clouds.CloudFiles;

/** Reads one entry, and checks the templates in it. References to labels and images are checked for all drivers alike. */
final class OpenStackConfigReader {

    private static final int SSH = 22;
    private static final int WINRM = 5986;
    private static final Map<String, String> LIMITS = Map.of(
            "max-servers", QuotaInformation.INSTANCES,
            "max-cores", QuotaInformation.CORES,
            "max-ram", QuotaInformation.RAM,
            "max-volumes", QuotaInformation.VOLUMES,
            "max-volume-gb", QuotaInformation.VOLUME_GB);

    private final LoadContext load;
    private final CloudFiles files;

    OpenStackConfigReader(LoadContext load, CloudFiles files) {
        this.load = load;
        this.files = files;
    }

    OpenStackConfig read(Section provider) {
        List<ProviderImage> diskImages =
                provider.sections("diskimages").stream().map(this::diskImage).toList();
        List<CloudImage> cloudImages = provider.sections("cloud-images").stream()
                .map(OpenStackConfigReader::cloudImage)
                .toList();
        Map<String, Node.Connection> connections = new LinkedHashMap<>();
        diskImages.forEach(image -> connections.put("diskimage " + image.name(), image.connection()));
        cloudImages.forEach(image -> connections.put("cloud-image " + image.name(), image.connection()));
        List<OpenStackPool> pools = new ArrayList<>();
        for (Section pool : provider.sections("pools")) {
            pools.add(pool(pool, provider.integer("priority", 100), connections));
        }
        template(provider, "image-name-format", provider.require("image-name-format"), Template.IMAGE_FIELDS);
        return new OpenStackConfig(
                provider.require("name"),
                provider.integer("max-concurrency", -1),
                provider.integer("launch-retries", 3),
                seconds(provider, "launch-timeout"),
                seconds(provider, "boot-timeout"),
                provider.require("cloud"),
                provider.text("region-name"),
                seconds(provider, "rate"),
                new OpenStackConfig.Uploads(
                        provider.require("image-name-format"),
                        seconds(provider, "image-upload-timeout"),
                        provider.text("post-upload-hook")),
                provider.bool("clean-floating-ips", false),
                seconds(provider, "port-cleanup-interval"),
                diskImages,
                cloudImages,
                pools,
                chosen(provider));
    }

    /** A cloud that cannot be used keeps this provider from starting, not the others: a warning. */
    private ChosenCloud chosen(Section provider) {
        String cloud = provider.require("cloud");
        if (cloud.isEmpty()) {
            return new ChosenCloud(Optional.empty(), "no cloud is named");
        }
        ChosenCloud chosen = ChosenCloud.read(
                files,
                cloud,
                provider.text("region-name"),
                warning -> load.warning(provider, "cloud", "clouds.yaml: " + warning));
        if (chosen.settings().isEmpty()) {
            load.warning(provider, "cloud", "this provider will not start: " + chosen.problem());
        }
        return chosen;
    }

    private ProviderImage diskImage(Section image) {
        String name = image.require("name");
        ImageLogin login = Optional.ofNullable(load.diskImages().get(name))
                .map(DiskImage::login)
                .orElse(new ImageLogin(Optional.empty(), Optional.empty(), Optional.empty()));
        return new ProviderImage(
                name,
                image.bool("pause", false),
                texts(image, "meta"),
                image.bool("config-drive"),
                connection(image, login.username(), login.shellType(), login.pythonPath()));
    }

    private static CloudImage cloudImage(Section image) {
        return new CloudImage(
                image.require("name"),
                image.text("image-id"),
                image.text("image-name").orElse(image.require("name")),
                image.bool("config-drive"),
                connection(image, image.text("username"), image.text("shell-type"), image.text("python-path")));
    }

    private static Node.Connection connection(
            Section image, Optional<String> username, Optional<String> shell, Optional<String> python) {
        String type = image.text("connection-type").orElse("ssh");
        int port = image.integer("connection-port", type.equals("winrm") ? WINRM : SSH);
        return new Node.Connection(JsonValue.of(port), Optional.of(type), username, shell, python, List.of());
    }

    private OpenStackPool pool(Section pool, int priority, Map<String, Node.Connection> connections) {
        Map<String, Double> limits = new LinkedHashMap<>();
        LIMITS.forEach((key, resource) -> pool.number(key).ifPresent(limit -> limits.put(resource, limit)));
        return new OpenStackPool(
                pool.require("name"),
                pool.integer("max-servers"),
                pool.integer("priority", priority),
                QuotaInformation.limits(limits),
                pool.bool("ignore-provider-quota", false),
                pool.json("node-attributes").orElse(JsonNull.NULL),
                pool.texts("availability-zones"),
                pool.texts("networks"),
                pool.texts("security-groups"),
                pool.bool("auto-floating-ip", true),
                pool.sections("labels").stream()
                        .map(label -> label(pool, label, connections))
                        .toList());
    }

    private OpenStackLabel label(Section pool, Section label, Map<String, Node.Connection> connections) {
        Map<String, String> dynamic = texts(label, "dynamic-instance-properties");
        dynamic.values().forEach(text -> template(label, "dynamic-instance-properties", text, Template.REQUEST_FIELDS));
        Optional<String> image = label.text("diskimage")
                .map(name -> "diskimage " + name)
                .or(() -> label.text("cloud-image").map(name -> "cloud-image " + name));
        return new OpenStackLabel(
                label.require("name"),
                label.text("diskimage"),
                label.text("cloud-image"),
                label.bool("host-key-checking", pool.bool("host-key-checking", true)),
                image.flatMap(name -> Optional.ofNullable(connections.get(name)))
                        .orElse(Node.Connection.DEFAULT),
                new OpenStackLabel.Flavor(label.integer("min-ram"), label.text("flavor-name")),
                label.text("key-name"),
                label.bool("console-log", false),
                label.bool("boot-from-volume", false)
                        ? OptionalInt.of(label.integer("volume-size", 50))
                        : OptionalInt.empty(),
                texts(label, "instance-properties"),
                dynamic,
                label.text("userdata"),
                label.has("networks") ? label.texts("networks") : pool.texts("networks"));
    }

    private void template(Section at, String key, String text, List<String> known) {
        Template template = Template.of(text);
        if (template.broken()) {
            load.error(at, key, key + ": a brace has no partner in '" + text + "'; double it to mean itself");
        }
        for (String field : Set.copyOf(template.fields())) {
            if (!known.contains(field)) {
                load.error(at, key, key + ": unknown field {" + field + "}; known are " + String.join(", ", known));
            }
        }
    }

    private static Duration seconds(Section section, String key) {
        return Duration.ofMillis(Math.round(section.number(key).orElse(0.0) * 1000));
    }

    /** Values as the cloud gets them: everything there is text. */
    private static Map<String, String> texts(Section section, String key) {
        Map<String, String> texts = new LinkedHashMap<>();
        if (section.json(key).orElse(JsonObject.EMPTY) instanceof JsonObject object) {
            object.members().forEach((name, value) -> texts.put(name, text(value)));
        }
        return texts;
    }

    private static String text(JsonValue value) {
        if (value instanceof JsonNumber number) {
            return number.text();
        }
        return value instanceof JsonBool bool
                ? Boolean.toString(bool.value())
                : value.asText().orElse("");
    }
}
