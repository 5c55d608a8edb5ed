package nodepool.webapp.lists;

import java.util.List;
import java.util.Map;

/** A list the original serves: its path is {@code /} and its name. */
@SuppressWarnings("ImmutableEnumChecker") // its lists and maps are made by List.of and Map.of
public enum OriginalList {
    NODES(
            "node-list",
            List.of(
                    "id",
                    "provider",
                    "label",
                    "server_id",
                    "public_ipv4",
                    "ipv6",
                    "state",
                    "age",
                    "locked",
                    "pool",
                    "hostname",
                    "private_ipv4",
                    "AZ",
                    "username",
                    "connection_port",
                    "launcher",
                    "allocated_to",
                    "hold_job",
                    "comment",
                    "user_data",
                    "driver_data"),
            Map.of()),
    UPLOADS(
            "image-list",
            List.of("id", "upload_id", "provider", "image", "external_name", "external_id", "state", "age"),
            Map.of("age", "state_time")),
    BUILDS("dib-image-list", List.of("id", "image", "builder", "formats", "state", "age"), Map.of("age", "state_time")),
    IMAGES(
            "image-status",
            List.of("image", "paused", "build_request", "build_request_age"),
            Map.of("build_request_age", "build_request_time")),
    REQUESTS(
            "request-list",
            List.of("id", "relative_priority", "state", "requestor", "node_types", "nodes", "declined_by", "event_id"),
            Map.of()),
    LABELS("label-list", List.of("label"), Map.of());

    private final String word;
    private final List<String> keys;
    private final Map<String, String> timestamps;

    OriginalList(String word, List<String> keys, Map<String, String> timestamps) {
        this.word = word;
        this.keys = keys;
        this.timestamps = timestamps;
    }

    /** Its name here and at the command line's lists. */
    public String word() {
        return word;
    }

    /** The original's keys in its order; JSON may have more after them. */
    public List<String> keys() {
        return keys;
    }

    /** The key whose value JSON has under {@code key}: what is an age for people is a Unix time for programs. */
    public String source(String key) {
        return timestamps.getOrDefault(key, key);
    }
}
