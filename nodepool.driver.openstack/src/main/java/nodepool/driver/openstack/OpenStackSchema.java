package nodepool.driver.openstack;

import nodepool.api.config.Schema;
import nodepool.api.config.Schema.Key;
import nodepool.api.config.Schema.Type;
import nodepool.api.json.JsonValue.JsonNumber;

/** What may stand in an entry with {@code driver: openstack}. */
final class OpenStackSchema {

    private static final Type PORT = new Type.Int(1, 65535);

    private static final Key CONFIG_DRIVE = Key.optional(
            "config-drive", Type.BOOL, "Whether servers get a config drive; the cloud decides if left out");
    private static final Key CONNECTION_TYPE = Key.optional(
                    "connection-type", Type.TEXT, "How users connect: ssh, winrm, …")
            .byDefault("ssh");
    private static final Key CONNECTION_PORT = Key.optional("connection-port", PORT, "22, or 5986 for winrm");

    static final Schema DISKIMAGE = Schema.of(
            Key.required("name", Type.TEXT, "An entry of the main diskimages list that is not abstract"),
            Key.optional("pause", Type.BOOL, "Do not upload").byDefault(false),
            Key.optional("meta", Type.mapOf(Type.ANY), "Properties of the image in the cloud"),
            CONFIG_DRIVE,
            CONNECTION_TYPE,
            CONNECTION_PORT);

    static final Schema CLOUD_IMAGE = Schema.of(
                    Key.required(
                            "name", Type.TEXT, "What labels refer to; looked up in the cloud without an id or name"),
                    Key.optional("image-id", Type.TEXT, "Id in the cloud; not looked up"),
                    Key.optional("image-name", Type.TEXT, "Name in the cloud"),
                    CONFIG_DRIVE,
                    Key.optional("username", Type.TEXT, "Login name"),
                    Key.optional("python-path", Type.TEXT, "Told to users").byDefault("auto"),
                    Key.optional("shell-type", Type.TEXT, "Told to users"),
                    CONNECTION_TYPE,
                    CONNECTION_PORT)
            .with(Schema.Rule.atMostOne("image-id", "image-name"));

    static final Schema LABEL = Schema.of(
                    Key.required("name", Type.TEXT, "A label of the main list"),
                    Key.optional("diskimage", Type.TEXT, "One of the provider's diskimages"),
                    Key.optional("cloud-image", Type.TEXT, "One of the provider's cloud-images"),
                    Key.optional("min-ram", Type.COUNT, "MiB the flavor must have"),
                    Key.optional(
                            "flavor-name",
                            Type.TEXT,
                            "Name or id of the flavor; a part of its name if min-ram is given"),
                    Key.optional("key-name", Type.TEXT, "Key pair of the cloud for login"),
                    Key.optional("console-log", Type.BOOL, "Log the console of servers that fail to start")
                            .byDefault(false),
                    Key.optional("boot-from-volume", Type.BOOL, "Root disk on a volume")
                            .byDefault(false),
                    Key.optional("volume-size", new Type.Int(1, Integer.MAX_VALUE), "GB of that volume")
                            .byDefault(50),
                    Key.optional("instance-properties", Type.mapOf(Type.ANY), "Properties of servers"),
                    Key.optional(
                            "dynamic-instance-properties",
                            Type.mapOf(Type.TEXT),
                            "Properties of servers with fields of the request: {request.id}, …"),
                    Key.optional("userdata", Type.TEXT, "For cloud-init"),
                    Key.optional("networks", Type.TEXTS, "Networks; the pool's if left out"),
                    Key.optional("host-key-checking", Type.BOOL, "Gather host keys; as the pool says if left out"))
            .with(
                    Schema.Rule.atMostOne("diskimage", "cloud-image"),
                    Schema.Rule.atLeastOne("diskimage", "cloud-image"),
                    Schema.Rule.atLeastOne("min-ram", "flavor-name"));

    static final Schema POOL = Schema.commonPool()
            .with(
                    Key.optional("max-cores", Type.COUNT, "Cores at the same time"),
                    Key.optional("max-ram", Type.COUNT, "MiB of memory at the same time"),
                    Key.optional("max-volumes", Type.COUNT, "Volumes at the same time"),
                    Key.optional("max-volume-gb", Type.COUNT, "GB on volumes at the same time"),
                    Key.optional("ignore-provider-quota", Type.BOOL, "Do not look at the cloud's quota")
                            .byDefault(false),
                    Key.optional("availability-zones", Type.TEXTS, "Zones to use; all of the cloud's if left out"),
                    Key.optional("networks", Type.TEXTS, "Networks of servers"),
                    Key.optional("security-groups", Type.TEXTS, "Security groups of servers"),
                    Key.optional("auto-floating-ip", Type.BOOL, "Give servers a floating IP if they need one")
                            .byDefault(true),
                    Key.optional("host-key-checking", Type.BOOL, "Gather host keys before a node is ready")
                            .byDefault(true),
                    Key.optional("labels", Type.listOf(LABEL, "name"), "What it serves"));

    /** The whole entry. */
    static final Schema PROVIDER = Schema.commonProvider()
            .with(
                    Key.required("cloud", Type.TEXT, "Entry of clouds.yaml"),
                    Key.optional("region-name", Type.TEXT, "Region of the cloud"),
                    Key.optional("rate", Type.NUMBER, "Seconds between two calls; 0: no limit")
                            .byDefault(new JsonNumber("1.0")),
                    Key.optional("boot-timeout", Type.COUNT, "Seconds for the connection check")
                            .byDefault(60),
                    Key.optional("launch-timeout", Type.COUNT, "Seconds until a server must be active")
                            .byDefault(3600),
                    Key.optional("launch-retries", new Type.Int(1, Integer.MAX_VALUE), "Attempts to launch a node")
                            .byDefault(3),
                    Key.optional("image-upload-timeout", Type.COUNT, "Seconds for an upload")
                            .byDefault(3600),
                    Key.optional(
                                    "image-name-format",
                                    Type.TEXT,
                                    "Name of uploads, with {image_name}, {timestamp}, {upload_id}")
                            .byDefault("{image_name}-{timestamp}"),
                    Key.optional(
                            "post-upload-hook",
                            Type.TEXT,
                            "Program called with provider, image id and file after uploads"),
                    Key.optional("clean-floating-ips", Type.BOOL, "Delete floating IPs that no server has")
                            .byDefault(false),
                    Key.optional(
                                    "port-cleanup-interval",
                                    Type.COUNT,
                                    "Seconds; ports that are down are deleted; 0: never")
                            .byDefault(600),
                    Key.optional("nodepool-id", Type.TEXT, "Not used").deprecated("it is ignored; remove it"),
                    Key.optional("hostname-format", Type.TEXT, "Not used").deprecated("it is ignored; remove it"),
                    Key.optional("diskimages", Type.listOf(DISKIMAGE, "name"), "Images to upload"),
                    Key.optional("cloud-images", Type.listOf(CLOUD_IMAGE, "name"), "Images the cloud has"),
                    Key.optional("pools", Type.listOf(POOL, "name"), "Parts of the cloud to use"));

    private OpenStackSchema() {}
}
