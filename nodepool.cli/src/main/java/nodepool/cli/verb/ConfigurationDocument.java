package nodepool.cli.verb;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import nodepool.api.config.Configuration;
import nodepool.api.config.DiskImage;
import nodepool.api.config.Label;
import nodepool.api.config.ProviderEntry;
import nodepool.api.config.Section;
import nodepool.api.config.ZooKeeperConfig;
import nodepool.api.json.JsonValue.JsonArray;
import nodepool.api.json.JsonValue.JsonNumber;
import nodepool.api.json.JsonValue.JsonObject;
import nodepool.api.quota.QuotaInformation;

/**
 * A configuration as it is in force, under the names of the file: after substitution, inheritance, merge and defaults. Holds
 * secrets: what is shown of it goes through {@link Redaction}.
 */
final class ConfigurationDocument {

    private ConfigurationDocument() {}

    static JsonObject of(Configuration configuration) {
        Document document = new Document();
        configuration.zookeeper().ifPresent(zookeeper -> zookeeper(zookeeper, document));
        document.put(
                "webapp",
                new Document()
                        .put("listen_address", configuration.webapp().listenAddress())
                        .put("port", configuration.webapp().port())
                        .end());
        builder(configuration.builder(), document);
        document.put("max-hold-age", configuration.maxHoldAge().toSeconds());
        limits(configuration.tenantLimits(), document);
        document.putAll(
                "labels",
                configuration.labels().values().stream()
                        .map(ConfigurationDocument::label)
                        .toList());
        document.putAll(
                "diskimages",
                configuration.diskImages().values().stream()
                        .map(ConfigurationDocument::image)
                        .toList());
        document.putAll(
                "providers",
                configuration.providers().stream()
                        .map(ConfigurationDocument::provider)
                        .toList());
        return document.end();
    }

    private static void zookeeper(ZooKeeperConfig zookeeper, Document document) {
        document.put("zookeeper", zookeeper.connectString())
                .put("zookeeper-timeout", zookeeper.timeout().toSeconds());
        zookeeper
                .tls()
                .ifPresent(tls -> document.put(
                        "zookeeper-tls",
                        new Document()
                                .put("cert", tls.cert().toString())
                                .put("key", tls.key().toString())
                                .put("ca", tls.ca().toString())
                                .put("verify-hostname", tls.verifyHostname())
                                .end()));
    }

    private static void builder(Configuration.Builder builder, Document document) {
        document.put("elements-dir", builder.elementsDir())
                .put("images-dir", builder.imagesDir().map(String::valueOf))
                .put("build-log-dir", builder.buildLogDir().toString())
                .put("build-log-retention", builder.buildLogRetention());
    }

    private static void limits(Map<String, QuotaInformation> tenants, Document document) {
        List<JsonObject> limits = new ArrayList<>();
        tenants.forEach((name, limit) -> {
            Document one = new Document().put("tenant-name", name);
            limit.amounts().forEach((resource, amount) -> one.put(resource, new JsonNumber(number(amount))));
            limits.add(one.end());
        });
        document.putAll("tenant-resource-limits", limits);
    }

    private static String number(double amount) {
        return amount == Math.rint(amount) ? Long.toString((long) amount) : Double.toString(amount);
    }

    private static JsonObject label(Label label) {
        Document document = new Document().put("name", label.name()).put("min-ready", label.minReady());
        return putIfAny(document, "max-ready-age", label.maxReadyAge()).end();
    }

    private static Document putIfAny(Document document, String name, Duration duration) {
        return duration.isZero() ? document : document.put(name, duration.toSeconds());
    }

    private static JsonObject image(DiskImage image) {
        Document document = new Document()
                .put("name", image.name())
                .put("elements", image.elements())
                .put("release", image.release())
                .put("formats", image.formats())
                .put("keep-formats", image.keepFormats())
                .put("delete-after-upload", image.deleteAfterUpload())
                .put("pause", image.paused())
                .put("rebuild-age", image.rebuildAge().toSeconds())
                .put("build-timeout", image.buildTimeout().toSeconds())
                .put("username", image.login().username())
                .put("python-path", image.login().pythonPath())
                .put("shell-type", image.login().shellType())
                .put("dib-cmd", image.command());
        return document.put("env-vars", texts(image.environment()))
                .put("metadata", texts(image.metadata()))
                .end();
    }

    private static JsonObject texts(Map<String, String> values) {
        Document texts = new Document();
        new TreeMap<>(values).forEach(texts::put);
        return texts.end();
    }

    private static JsonObject provider(ProviderEntry entry) {
        Document document = new Document().put("name", entry.name()).put("driver", entry.driver());
        section(entry.section()).members().forEach(document::put);
        return document.put("driver", entry.driver()).end();
    }

    private static JsonObject section(Section section) {
        Document document = new Document();
        section.members().forEach((key, value) -> {
            List<JsonObject> below = section.sections(key).stream()
                    .map(ConfigurationDocument::section)
                    .toList();
            if (below.isEmpty()) {
                document.put(key, value);
            } else if (value instanceof JsonArray) {
                document.putAll(key, below);
            } else {
                document.put(key, below.get(0));
            }
        });
        return document.end();
    }
}
