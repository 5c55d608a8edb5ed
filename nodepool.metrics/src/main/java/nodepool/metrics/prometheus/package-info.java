/** What a Prometheus server scrapes. Start reading at {@link nodepool.metrics.prometheus.Exposition}. */
@NullMarked
package nodepool.metrics.prometheus;

import org.jspecify.annotations.NullMarked;
