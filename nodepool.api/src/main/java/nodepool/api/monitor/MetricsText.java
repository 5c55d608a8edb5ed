package nodepool.api.monitor;

import org.osgi.annotation.versioning.ProviderType;

/** Everything measured in this process, for {@code /metrics}. Found as an OSGi service. Thread-safe; returns at once. */
@ProviderType
@FunctionalInterface
public interface MetricsText {

    /** What {@link #text()} is, for HTTP. */
    String CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8";

    /** The values now, as a Prometheus server reads them. */
    String text();
}
