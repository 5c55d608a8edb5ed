package nodepool.itest.fleet;

import java.time.Instant;

/**
 * One change in ZooKeeper. Changes of one transaction have the same {@code zxid}.
 *
 * @param session who made it
 * @param path empty when a session was closed; what was deleted with it are changes of their own
 * @param data as stored; empty for a deletion
 * @param ephemeral whether what was created goes with its session
 */
record Change(Instant at, long zxid, long session, Kind kind, String path, String data, boolean ephemeral) {

    enum Kind {
        CREATED,
        CHANGED,
        DELETED,
        SESSION_CLOSED
    }
}
