package nodepool.config;

import java.util.List;
import java.util.Optional;
import nodepool.api.config.Schema;
import nodepool.api.config.Schema.Key;
import nodepool.api.config.Schema.Type;

/** What may stand at the top of {@code nodepool.yaml}. Providers are checked against their drivers' schemas. */
final class GlobalSchema {

    /** Least value of numbers that must not be zero. */
    static final double MORE_THAN_ZERO = Double.MIN_VALUE;

    static final Schema DISKIMAGE = Schema.of(
            Key.required("name", Type.TEXT, "Identity of the image"),
            Key.optional("abstract", Type.BOOL, "A template only, never built").byDefault(false),
            Key.optional("parent", Type.TEXT, "Another entry to start from"),
            Key.optional("elements", Type.TEXTS, "Elements of diskimage-builder, behind the parent's"),
            Key.optional("env-vars", Type.mapOf(Type.SECRET), "Environment of the build, over the parent's"),
            Key.optional("formats", Type.TEXTS, "Formats besides those the providers ask for"),
            Key.optional("keep-formats", Type.TEXTS, "Formats that survive delete-after-upload"),
            Key.optional("delete-after-upload", Type.BOOL, "Delete local files once uploaded"),
            Key.optional("pause", Type.BOOL, "Do not build"),
            Key.optional("rebuild-age", Type.COUNT, "Seconds after which it is built again"),
            Key.optional("build-timeout", Type.COUNT, "Seconds after which a build is ended"),
            Key.optional("release", Type.TEXT_OR_INT, "DIB_RELEASE"),
            Key.optional("username", Type.TEXT, "Login name told to users"),
            Key.optional("python-path", Type.TEXT, "Told to users"),
            Key.optional("shell-type", Type.TEXT, "Told to users"),
            Key.optional("dib-cmd", Type.TEXT, "Command that builds"),
            Key.optional("metadata", Type.mapOf(Type.ANY), "Properties of uploads"));

    static final Schema SERVER = Schema.of(
            Key.required("host", Type.TEXT, "Name or address"),
            Key.optional("port", new Type.Int(1, 65535), "Port; 2281 with TLS, else 2181"),
            Key.optional("chroot", Type.TEXT, "Path below which everything lies"));

    static final Schema TLS = Schema.of(
            Key.required("cert", Type.TEXT, "PEM file with the client's certificate"),
            Key.required("key", Type.TEXT, "PEM file with its key"),
            Key.required("ca", Type.TEXT, "PEM file with the authority's certificate"),
            Key.optional("verify-hostname", Type.BOOL, "Whether the server's certificate must name it")
                    .byDefault(false));

    static final Schema TENANT = new Schema(
            Schema.of(
                            Key.required("tenant-name", Type.TEXT, "The tenant"),
                            Key.optional("max-servers", Type.COUNT, "Nodes at the same time"),
                            Key.optional("max-cores", Type.COUNT, "Cores at the same time"),
                            Key.optional("max-ram", Type.COUNT, "MiB of memory at the same time"),
                            Key.optional("max-volumes", Type.COUNT, "Volumes at the same time"),
                            Key.optional("max-volume-gb", Type.COUNT, "GB on volumes at the same time"))
                    .keys(),
            Optional.of(Type.COUNT),
            List.of());

    /** What the secure file may hold; the rest of it is ignored. */
    static final Schema SECURE = new Schema(
            Schema.of(
                            Key.optional(
                                    "zookeeper-servers",
                                    new Type.ListOf(Type.mapping(SERVER), false, Optional.empty()),
                                    "Instead of those in the main file"),
                            Key.optional("zookeeper-tls", Type.mapping(TLS), "Instead of that in the main file"),
                            Key.optional(
                                    "diskimages",
                                    Type.listOf(
                                            new Schema(
                                                    Schema.of(
                                                                    Key.required("name", Type.TEXT, "Which image"),
                                                                    Key.optional(
                                                                            "env-vars",
                                                                            Type.mapOf(Type.TEXT),
                                                                            "Environment of its build"))
                                                            .keys(),
                                                    Optional.of(Type.ANY),
                                                    List.of()),
                                            "name"),
                                    "Secrets of images"))
                    .keys(),
            Optional.of(Type.ANY),
            List.of());

    static final Schema TOP = Schema.of(
            Key.optional(
                    "webapp",
                    Type.mapping(Schema.of(
                            Key.optional("port", new Type.Int(0, 65535), "0 picks a free one")
                                    .byDefault(8005),
                            Key.optional("listen_address", Type.TEXT, "Address to bind to")
                                    .byDefault("0.0.0.0"))),
                    "The web interface"),
            Key.optional("elements-dir", Type.TEXT, "ELEMENTS_PATH of builds"),
            Key.optional("images-dir", Type.TEXT, "Home of image files"),
            Key.optional("build-log-dir", Type.TEXT, "Home of build logs").byDefault("/var/log/nodepool/builds"),
            Key.optional("build-log-retention", Type.INT, "Logs kept per image").byDefault(7),
            Key.optional(
                    "zookeeper-servers",
                    new Type.ListOf(Type.mapping(SERVER), false, Optional.empty()),
                    "Where ZooKeeper is"),
            Key.optional("zookeeper-tls", Type.mapping(TLS), "TLS to ZooKeeper"),
            Key.optional("zookeeper-timeout", new Type.Numeric(MORE_THAN_ZERO), "Seconds until a session is lost")
                    .byDefault(10),
            Key.optional(
                    "labels",
                    Type.listOf(
                            Schema.of(
                                    Key.required("name", Type.TEXT, "What requestors ask for"),
                                    Key.optional("min-ready", Type.INT, "Ready nodes kept in stock")
                                            .byDefault(0),
                                    Key.optional(
                                                    "max-ready-age",
                                                    Type.COUNT,
                                                    "Seconds after which a ready node is replaced; 0: never")
                                            .byDefault(0)),
                            "name"),
                    "Kinds of nodes"),
            Key.optional("max-hold-age", Type.INT, "Seconds after which held nodes are deleted; 0: never")
                    .byDefault(0),
            Key.optional("diskimages", Type.listOf(DISKIMAGE, "name"), "Images to build"),
            Key.optional("providers", new Type.ListOf(Type.ANY, false, Optional.empty()), "Where nodes come from"),
            Key.optional("tenant-resource-limits", Type.listOf(TENANT, "tenant-name"), "Limits of tenants"),
            Key.optional(
                    "metrics",
                    Type.mapping(Schema.of(Key.optional("escape-dots", Type.BOOL, "Replace dots in names")
                            .byDefault(false))),
                    "Metrics"),
            Key.optional(
                    "compat",
                    Type.mapping(Schema.of(
                            Key.optional("register-launchers", Type.BOOL, "Also register where old launchers look")
                                    .byDefault(false))),
                    "For old peers"));

    private GlobalSchema() {}
}
