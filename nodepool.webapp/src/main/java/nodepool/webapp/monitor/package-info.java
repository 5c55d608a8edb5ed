/**
 * For whoever watches the process: {@code /healthz} and {@code /metrics}.
 * Start reading at {@link nodepool.webapp.monitor.MetricsPage}.
 */
@NullMarked
package nodepool.webapp.monitor;

import org.jspecify.annotations.NullMarked;
