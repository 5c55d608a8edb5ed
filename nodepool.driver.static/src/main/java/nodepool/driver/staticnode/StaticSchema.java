package nodepool.driver.staticnode;

import java.util.Optional;
import nodepool.api.config.Schema;

/** What may stand in an entry with {@code driver: static}. */
final class StaticSchema {

    private static final Schema NODE = Schema.of(
            Schema.Key.required("name", Schema.Type.TEXT, "Host name or address"),
            Schema.Key.required("labels", Schema.Type.TEXT_OR_TEXTS, "What the host serves; each must be a main label"),
            Schema.Key.optional("username", Schema.Type.TEXT, "Who to log in as")
                    .byDefault("zuul"),
            Schema.Key.optional(
                            "timeout",
                            new Schema.Type.Int(1, Integer.MAX_VALUE),
                            "Limit of a connection check in seconds")
                    .byDefault(5),
            Schema.Key.optional("host-key-checking", Schema.Type.BOOL, "Whether the host is checked before it is used")
                    .byDefault(true),
            Schema.Key.optional("host-key", Schema.Type.TEXT_OR_TEXTS, "Keys the host must offer; any if left out"),
            Schema.Key.optional(
                            "connection-type",
                            Schema.Type.TEXT,
                            "ssh and network_cli have host keys; others only a port")
                    .byDefault("ssh"),
            Schema.Key.optional("connection-port", new Schema.Type.Int(1, 65535), "22, or 5986 for winrm")
                    .alias("ssh-port"),
            Schema.Key.optional("shell-type", Schema.Type.TEXT, "For the user of the node"),
            Schema.Key.optional("python-path", Schema.Type.TEXT, "For the user of the node")
                    .byDefault("auto"),
            Schema.Key.optional(
                            "max-parallel-jobs", new Schema.Type.Int(1, Integer.MAX_VALUE), "Nodes made of this host")
                    .byDefault(1));

    private static final Schema POOL = Schema.commonPool()
            .with(Schema.Key.optional(
                    "nodes",
                    new Schema.Type.ListOf(Schema.Type.mapping(NODE), false, Optional.empty()),
                    "The hosts of this pool"));

    /** The whole entry. */
    static final Schema PROVIDER = Schema.commonProvider()
            .with(
                    Schema.Key.optional("driver", Schema.Type.TEXT, "Which driver serves it")
                            .byDefault(StaticDriver.STATIC),
                    Schema.Key.optional("pools", Schema.Type.listOf(POOL, "name"), "Lists of hosts"));

    private StaticSchema() {}
}
