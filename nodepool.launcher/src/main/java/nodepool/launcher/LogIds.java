package nodepool.launcher;

import java.util.HashMap;
import java.util.Map;
import nodepool.api.node.Node;
import nodepool.api.request.NodeRequest;
import org.slf4j.MDC;

/**
 * The ids of what a log line is about, which the log's layouts put before the message or into fields of their own.
 *
 * @param fields by the names that the original gives them
 */
record LogIds(Map<String, String> fields) {

    LogIds {
        fields = Map.copyOf(fields);
    }

    static LogIds of(NodeRequest request, PoolMeans means) {
        Map<String, String> fields = new HashMap<>();
        request.asker().eventId().ifPresent(event -> fields.put("event_id", event));
        fields.put("node_request", request.id());
        fields.put("provider", means.slot().name());
        fields.put("pool", means.poolName());
        return new LogIds(fields);
    }

    LogIds and(Node node) {
        Map<String, String> more = new HashMap<>(fields);
        more.put("node", node.id());
        return new LogIds(more);
    }

    /** Logs with these ids, on this thread; afterwards they are gone. */
    void log(Runnable lines) {
        fields.forEach(MDC::put);
        try {
            lines.run();
        } finally {
            fields.keySet().forEach(MDC::remove);
        }
    }
}
