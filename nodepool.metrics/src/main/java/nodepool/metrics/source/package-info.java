/** Where the values come from: events, and the shared state. Start reading at {@link nodepool.metrics.source.EventMetrics}. */
@NullMarked
package nodepool.metrics.source;

import org.jspecify.annotations.NullMarked;
