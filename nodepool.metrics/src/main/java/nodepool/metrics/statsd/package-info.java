/** The original's way out: text lines in datagrams. Start reading at {@link nodepool.metrics.statsd.StatsdSender}. */
@NullMarked
package nodepool.metrics.statsd;

import org.jspecify.annotations.NullMarked;
