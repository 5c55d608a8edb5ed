/**
 * The stream of changes as server-sent events: what differs between two snapshots, sent to whoever listens, never waited for.
 * Start reading at {@link nodepool.webapp.stream.ChangeFeed}.
 */
@NullMarked
package nodepool.webapp.stream;

import org.jspecify.annotations.NullMarked;
