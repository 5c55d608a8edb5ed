/**
 * What Nodepool measures of itself. {@link nodepool.metrics.Catalogue} declares every metric once; the classes of
 * {@code source} give the values; {@link nodepool.metrics.Meter} passes them on to statsd and keeps them for Prometheus.
 * Start reading at {@link nodepool.metrics.Catalogue}.
 */
@NullMarked
package nodepool.metrics;

import org.jspecify.annotations.NullMarked;
