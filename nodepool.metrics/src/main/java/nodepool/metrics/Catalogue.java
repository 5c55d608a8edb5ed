package nodepool.metrics;

import static nodepool.metrics.Metric.counter;
import static nodepool.metrics.Metric.gauge;
import static nodepool.metrics.Metric.time;

import java.util.List;
import nodepool.metrics.Metric.Kind;

/** Every metric there is. The names sent to statsd are the original's; {@code docs/metrics.md} is made from this list. */
public final class Catalogue {

    /* Nodes and requests: of the whole installation, by one launcher. */

    public static final Metric NODES = gauge(
                    "nodepool_nodes",
                    "nodes",
                    "Nodes in that state; after every change, at most once a second, and every 10 s.")
            .by("state")
            .sentAs("nodepool.nodes.<state>");

    public static final Metric PROVIDER_NODES = gauge(
                    "nodepool_provider_nodes", "nodes", "Nodes of that provider in that state.")
            .by("provider", "state")
            .sentAs("nodepool.provider.<provider>.nodes.<state>");

    public static final Metric LABEL_NODES = gauge(
                    "nodepool_label_nodes",
                    "nodes",
                    "Nodes with that label in that state; a node with several labels counts for each.")
            .by("label", "state")
            .sentAs("nodepool.label.<label>.nodes.<state>");

    public static final Metric ADDRESSABLE_REQUESTS = gauge(
                    "nodepool_addressable_requests",
                    "requests",
                    "Requests in any state all of whose labels that pool offers.")
            .by("provider", "pool")
            .sentAs("nodepool.provider.<provider>.pool.<pool>.addressable_requests");

    public static final Metric OLDEST_REQUEST = gauge(
                    "nodepool_oldest_waiting_request_age_seconds",
                    "s",
                    "Age of the oldest request that waits for that label; 0 when none does.")
            .by("label");

    public static final Metric OLDEST_POOL_REQUEST = gauge(
                    "nodepool_pool_oldest_waiting_request_age_seconds",
                    "s",
                    "Age of the oldest waiting request that pool could serve by its labels; 0 when there is none.")
            .by("provider", "pool");

    public static final Metric NODE_PHASE = time(
                    Kind.LONG_TIME, "nodepool_node_phase_seconds", "Time a node was in that state, when it leaves it.")
            .by("provider", "state");

    public static final Metric REQUEST_WAIT = time(
                    Kind.LONG_TIME,
                    "nodepool_request_phase_seconds",
                    "Time a request was in that state (requested is the queue), when it leaves it.")
            .by("state");

    /* Limits: of the configuration, by every launcher for its pools. */

    public static final Metric MAX_SERVERS = gauge(
                    "nodepool_provider_max_servers",
                    "servers",
                    "Sum of max-servers of the provider's pools; not sent when a pool has no limit. Every 10 s.")
            .by("provider")
            .sentAs("nodepool.provider.<provider>.max_servers");

    public static final Metric TENANT_LIMIT = gauge(
                    "nodepool_tenant_limit",
                    "the limit's",
                    "What that tenant may use at the same time; not sent when unlimited. Every 10 s.")
            .by("tenant", "limit")
            .sentAs("nodepool.tenant_limits.<tenant>.<limit>");

    /* Launches */

    public static final Metric LAUNCH = time(
                    Kind.LONG_TIME,
                    "nodepool_launch_seconds",
                    "From the first step of a launch until a node is ready, or until an attempt failed.")
            .by("provider", "pool", "label", "result")
            .sentAs(
                    "nodepool.launch.provider.<provider>.<result>",
                    "nodepool.launch.<result>",
                    "nodepool.launch.provider.<provider>.<az>.<result>",
                    "nodepool.launch.requestor.<requestor>.<result>",
                    "nodepool.launch.image.<image>.<result>");

    public static final Metric LAUNCH_RETRIES = counter(
                    "nodepool_launch_retries_total", "launches", "Failed attempts after which there is another one.")
            .by("provider", "pool", "label");

    public static final Metric LAUNCH_PHASE = time(
                    Kind.LONG_TIME,
                    "nodepool_launch_phase_seconds",
                    "Time until the cloud says the machine is there (booting), and from then until its host keys are"
                            + " gathered (scanning).")
            .by("provider", "pool", "label", "phase");

    /* Pools */

    public static final Metric VERDICTS = counter(
                    "nodepool_verdicts_total", "answers", "Answers of pools to requests, when they change.")
            .by("provider", "pool", "answer", "code");

    public static final Metric REQUESTS_ENDED = counter(
                    "nodepool_requests_changed_total", "requests", "Requests that a pool brought to that state.")
            .by("provider", "pool", "state");

    public static final Metric POOL_PASS = time(
                    Kind.SHORT_TIME, "nodepool_pool_pass_seconds", "One pass of a pool's loop.")
            .by("provider", "pool");

    public static final Metric PROVIDER_TROUBLE = gauge(
                    "nodepool_provider_trouble", "1 or 0", "1 while a provider has failed or answers badly.")
            .by("provider");

    /* Clouds */

    public static final Metric LEAKED = counter(
                    "nodepool_leaked_total",
                    "resources",
                    "Removed because they carried our mark and no record knew them.")
            .by("provider", "kind")
            .sentAs("nodepool.provider.<provider>.leaked.<kind>");

    public static final Metric DOWN_PORTS = counter(
                    "nodepool_down_ports_total", "ports", "The name that leaked ports had until 2019.")
            .by("provider")
            .sentAs("nodepool.provider.<provider>.downPorts");

    public static final Metric API_CALL = time(
                    Kind.SHORT_TIME, "nodepool_api_call_seconds", "One HTTP request to a cloud's service.")
            .by("provider", "service", "method", "operation", "status")
            .sentAs("nodepool.task.<provider>.<task>");

    public static final Metric CLOUD_CALL = time(
                    Kind.SHORT_TIME,
                    "nodepool_cloud_call_seconds",
                    "One operation of a driver on its cloud, by how it ended: ok, or the fault.")
            .by("provider", "call", "result");

    /* Images */

    public static final Metric IMAGE_SIZE = gauge(
                    "nodepool_dib_image_build_size_bytes",
                    "bytes on disk",
                    "Size of a built image's file, after a successful build.")
            .by("image", "format")
            .sentAs("nodepool.dib_image_build.<image>.<format>.size");

    public static final Metric BUILD_STATUS = gauge(
                    "nodepool_dib_image_build_status",
                    "exit code",
                    "Exit code of the image command, after every build.")
            .by("image")
            .sentAs("nodepool.dib_image_build.<image>.status.rc");

    public static final Metric BUILD_TIME = time(
                    Kind.LONG_TIME_UNCOUNTED,
                    "nodepool_dib_image_build_seconds",
                    "Length of a build, after every build.")
            .by("image")
            .sentAs("nodepool.dib_image_build.<image>.status.duration");

    public static final Metric LAST_BUILD = gauge(
                    "nodepool_dib_image_last_build_timestamp_seconds",
                    "s since 1970",
                    "When the last build ended, after every build.")
            .by("image")
            .sentAs("nodepool.dib_image_build.<image>.status.last_build");

    public static final Metric IMAGE_UPDATE = time(
                    Kind.LONG_TIME,
                    "nodepool_image_update_seconds",
                    "Length of an upload and of the hook after it, after every successful upload.")
            .by("image", "provider")
            .sentAs("nodepool.image_update.<image>.<provider>");

    public static final Metric UPLOAD_FAILURES = counter(
                    "nodepool_image_upload_failures_total", "uploads", "Uploads that failed.")
            .by("image", "provider");

    public static final Metric IMAGE_BUILD_REQUESTS = gauge(
                    "nodepool_image_build_requests",
                    "requests",
                    "Builds asked for by command and not yet made. Every 10 s.")
            .sentAs("nodepool.image_build_requests");

    public static final Metric ONE_IMAGE_BUILD_REQUESTS = gauge(
                    "nodepool_one_image_build_requests", "requests", "The same of one image: 0 or 1.")
            .by("image")
            .sentAs("nodepool.image.<image>.image_build_requests");

    public static final Metric BUILD_STATE = gauge(
                    "nodepool_builder_image_build_state",
                    "0, 1 or 3",
                    "What that builder does with that image: 0 nothing, 1 it is being built, 3 it is paused. Every 10 s.")
            .by("hostname", "image")
            .sentAs("nodepool.builder.<hostname>.image.<image>.build.state");

    public static final Metric UPLOAD_STATE = gauge(
                    "nodepool_builder_image_upload_state",
                    "0, 2 or 3",
                    "What that builder does with that image's uploads to that provider: 0 nothing, 2 it is being"
                            + " uploaded, 3 it is paused. Every 10 s.")
            .by("hostname", "image", "provider")
            .sentAs("nodepool.builder.<hostname>.image.<image>.provider.<provider>.upload.state");

    public static final Metric CURRENT_BUILDS = gauge(
                    "nodepool_builder_current_builds", "builds", "Builds under way. Every 10 s.")
            .by("hostname")
            .sentAs("nodepool.builder.<hostname>.current_builds");

    public static final Metric CURRENT_UPLOADS = gauge(
                    "nodepool_builder_current_uploads", "uploads", "Uploads under way. Every 10 s.")
            .by("hostname")
            .sentAs("nodepool.builder.<hostname>.current_uploads");

    public static final Metric BUILD_WORKERS = gauge(
                    "nodepool_builder_build_workers", "workers", "Builds there can be at the same time. Every 10 s.")
            .by("hostname")
            .sentAs("nodepool.builder.<hostname>.build_workers");

    public static final Metric UPLOAD_WORKERS = gauge(
                    "nodepool_builder_upload_workers",
                    "workers",
                    "Uploads there can be at the same time, besides the first of each provider. Every 10 s.")
            .by("hostname")
            .sentAs("nodepool.builder.<hostname>.upload_workers");

    /* Ourselves */

    public static final Metric STATSD_DROPPED = gauge(
            "nodepool_statsd_dropped_values",
            "values",
            "Values not sent to statsd since the start: the host does not resolve, or more came than could be sent.");

    /** Every metric, in the order of the documents. */
    public static final List<Metric> ALL = List.of(
            NODES,
            PROVIDER_NODES,
            LABEL_NODES,
            ADDRESSABLE_REQUESTS,
            OLDEST_REQUEST,
            OLDEST_POOL_REQUEST,
            NODE_PHASE,
            REQUEST_WAIT,
            MAX_SERVERS,
            TENANT_LIMIT,
            LAUNCH,
            LAUNCH_RETRIES,
            LAUNCH_PHASE,
            VERDICTS,
            REQUESTS_ENDED,
            POOL_PASS,
            PROVIDER_TROUBLE,
            LEAKED,
            DOWN_PORTS,
            API_CALL,
            CLOUD_CALL,
            IMAGE_SIZE,
            BUILD_STATUS,
            BUILD_TIME,
            LAST_BUILD,
            IMAGE_UPDATE,
            UPLOAD_FAILURES,
            IMAGE_BUILD_REQUESTS,
            ONE_IMAGE_BUILD_REQUESTS,
            BUILD_STATE,
            UPLOAD_STATE,
            CURRENT_BUILDS,
            CURRENT_UPLOADS,
            BUILD_WORKERS,
            UPLOAD_WORKERS,
            STATSD_DROPPED);

    private Catalogue() {}
}
