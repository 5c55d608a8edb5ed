package nodepool.driver.statemachine;

import nodepool.api.config.Schema;
import nodepool.api.config.Schema.Key;
import nodepool.api.config.Schema.Rule;
import nodepool.api.config.Schema.Type;

/**
 * The shape of a provider's entry for a driver without configuration classes of its own: what {@link CloudConfig} reads, and
 * the author's keys, which the adapter looks up in the sections of provider, image and label.
 *
 * @param provider without {@code pools} and {@code cloud-images}
 * @param image of one of the {@code cloud-images}
 * @param label of one entry of a pool
 */
public record CloudSchema(Schema provider, Schema image, Schema label) {

    private static final Schema POOL = Schema.commonPool()
            .with(
                    Key.optional("max-cores", Type.COUNT, "Cores at the same time"),
                    Key.optional("max-ram", Type.COUNT, "MiB at the same time"),
                    Key.optional("max-volumes", Type.COUNT, "Volumes at the same time"),
                    Key.optional("max-volume-gb", Type.COUNT, "GB of volumes at the same time"),
                    Key.optional("max-resources", Type.mapOf(Type.NUMBER), "Limits of other resources by name"),
                    Key.optional("ignore-provider-quota", Type.BOOL, "Whether the cloud's own limits are not looked at")
                            .byDefault(false),
                    Key.optional("use-internal-ip", Type.BOOL, "Whether machines are reached at their private address")
                            .byDefault(false),
                    Key.optional(
                                    "host-key-checking",
                                    Type.BOOL,
                                    "Whether host keys are gathered before a node is ready")
                            .byDefault(true),
                    Key.optional("azs", Type.TEXTS, "Zones to use; the cloud's if left out"));

    /** What every driver's entry may hold. */
    public static final CloudSchema USUAL = new CloudSchema(
            Schema.commonProvider()
                    .with(
                            Key.optional("boot-timeout", Type.COUNT, "Seconds for a machine to answer")
                                    .byDefault(60),
                            Key.optional("launch-timeout", Type.COUNT, "Seconds for one attempt")
                                    .byDefault(3600),
                            Key.optional("launch-retries", new Type.Int(1, 1000), "Attempts")
                                    .byDefault(3),
                            Key.optional("call-timeout", new Type.Int(1, 3600), "Seconds for one call to the cloud")
                                    .byDefault(60),
                            Key.optional("rate-limit", Type.NUMBER, "Calls to the cloud per second; 0: no limit")
                                    .byDefault(1)),
            Schema.of(
                    Key.required("name", Type.TEXT, "What labels call it"),
                    Key.optional("username", Type.TEXT, "Login name").byDefault("zuul"),
                    Key.optional("python-path", Type.TEXT, "Where its users find Python")
                            .byDefault("auto"),
                    Key.optional("shell-type", Type.TEXT, "sh, cmd, powershell, …"),
                    Key.optional("connection-type", Type.TEXT, "ssh, winrm, network_cli, …")
                            .byDefault("ssh"),
                    Key.optional("connection-port", new Type.Int(1, 65535), "22 if left out, 5986 for winrm")),
            Schema.of(
                            Key.required("name", Type.TEXT, "A label of the main list"),
                            Key.optional("cloud-image", Type.TEXT, "One of the provider's cloud-images"),
                            Key.optional("diskimage", Type.TEXT, "An image of the main list"),
                            Key.optional("host-key-checking", Type.BOOL, "The pool's if left out"))
                    .with(Rule.atMostOne("cloud-image", "diskimage")));

    /** With more keys of the provider. */
    public CloudSchema withProvider(Key... keys) {
        return new CloudSchema(provider.with(keys), image, label);
    }

    /** With more keys of each cloud image. */
    public CloudSchema withImage(Key... keys) {
        return new CloudSchema(provider, image.with(keys), label);
    }

    /** With more keys of each label. */
    public CloudSchema withLabel(Key... keys) {
        return new CloudSchema(provider, image, label.with(keys));
    }

    /** All of it, as a driver's schema. */
    public Schema schema() {
        Schema pool = POOL.with(Key.optional("labels", Type.listOf(label, "name"), "What it serves"));
        return provider.with(
                Key.optional("cloud-images", Type.listOf(image, "name"), "Images the cloud has"),
                Key.optional("pools", Type.listOf(pool, "name"), "Pools"));
    }
}
