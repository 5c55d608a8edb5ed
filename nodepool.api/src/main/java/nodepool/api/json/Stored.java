package nodepool.api.json;

import java.time.Instant;
import java.util.Optional;
import nodepool.api.json.JsonValue.JsonObject;

/**
 * How a record lies in the store: the document as last read, and where it stands in the store's history. A rewrite keeps
 * every field of {@code document} that the model does not know, and the original form of every value it does not change.
 *
 * @param document the whole document as read; empty for a record that was never stored
 * @param version number of writes since the record was made; -1 if never stored
 * @param transaction the store's transaction of the last write (ZooKeeper's {@code mzxid}); -1 if never stored. Two reads
 *     with the same number saw the same document
 * @param created when the record was made, by the store's clock; absent if never stored
 */
public record Stored(JsonObject document, int version, long transaction, Optional<Instant> created) {

    /** Of a record that exists in memory only. */
    public static final Stored NEVER = new Stored(JsonObject.EMPTY, -1, -1, Optional.empty());
}
