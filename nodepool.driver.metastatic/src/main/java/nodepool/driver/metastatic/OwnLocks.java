package nodepool.driver.metastatic;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import nodepool.api.driver.CloudException;
import nodepool.api.store.NodeStore;
import nodepool.api.store.Snapshot;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Which locks of backing nodes are ours. A snapshot shows who is first in a lock's queue, but not under which name, so each
 * entry is looked at once and remembered. Thread-safe; may block.
 */
final class OwnLocks {

    private static final Logger log = LoggerFactory.getLogger(MetastaticDriver.LOGGER);

    /** What is known of the first entry of a queue. */
    private record Entry(String name, boolean ours) {}

    private final NodeStore nodes;
    private final String owner;
    private final Map<String, Entry> known = new ConcurrentHashMap<>();

    OwnLocks(NodeStore nodes, String owner) {
        this.nodes = nodes;
        this.owner = owner;
    }

    /** Whether a node that claims to be ours is locked under our name; says so once if it is not. */
    boolean hold(Snapshot snapshot, String id) throws CloudException {
        List<String> queue = snapshot.contenders(id);
        if (queue.isEmpty()) {
            return false;
        }
        String first = queue.get(0);
        Optional<Entry> before =
                Optional.ofNullable(known.get(id)).filter(entry -> entry.name().equals(first));
        if (before.isPresent()) {
            return before.get().ours();
        }
        boolean ours = Await.value(nodes.resumeLasting(id, owner)).isPresent();
        if (!ours) {
            log.warn("Node {} says that it belongs to {}, but is locked by somebody else; ignoring it", id, owner);
        }
        known.put(id, new Entry(first, ours));
        return ours;
    }

    /** Forgets nodes that are gone. */
    void forgetGone(Snapshot snapshot) {
        known.keySet().removeIf(id -> snapshot.node(id).isEmpty());
    }
}
