package nodepool.webapp;

import java.util.Dictionary;
import java.util.HashMap;
import java.util.Map;
import nodepool.api.config.Configuration.WebApp;
import org.osgi.framework.FrameworkUtil;

/** What the HTTP server is told. */
final class ServerSettings {

    /** Under which the server is configured. */
    static final String PID = "org.apache.felix.http";

    private static final int IDLE_MILLIS = 30_000;
    private static final int THREADS = 24;
    private static final long LARGEST_BODY = 64 * 1024;
    private static final int WORTH_COMPRESSING = 1024;

    private ServerSettings() {}

    /** Bounded in threads, sizes and patience. */
    static Dictionary<String, Object> of(WebApp webapp) {
        Map<String, Object> settings = new HashMap<>();
        settings.put("org.apache.felix.http.host", webapp.listenAddress());
        settings.put("org.osgi.service.http.port", webapp.port());
        settings.put("org.apache.felix.http.timeout", IDLE_MILLIS);
        settings.put("org.apache.felix.http.jetty.threadpool.max", THREADS);
        settings.put("org.apache.felix.http.jetty.acceptors", 1);
        settings.put("org.apache.felix.http.jetty.selectors", 1);
        settings.put("org.apache.felix.http.jetty.requestSizeLimit", LARGEST_BODY);
        settings.put("org.apache.felix.http.jetty.maxFormSize", (int) LARGEST_BODY);
        settings.put("org.apache.felix.http.jetty.sendServerHeader", false);
        settings.put("org.apache.felix.jetty.gziphandler.enable", true);
        settings.put("org.apache.felix.jetty.gzip.minGzipSize", WORTH_COMPRESSING);
        // Not text/event-stream: events are sent one by one.
        settings.put("org.apache.felix.jetty.gzip.includedMimeTypes", new String[] {
            "text/plain", "text/csv", "text/html", "text/css", "text/javascript", "application/json", "image/svg+xml"
        });
        return FrameworkUtil.asDictionary(settings);
    }
}
