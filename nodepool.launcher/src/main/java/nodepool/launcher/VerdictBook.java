package nodepool.launcher;

import java.util.HashMap;
import java.util.Map;
import nodepool.api.event.Event;
import nodepool.api.request.NodeRequest;
import nodepool.api.store.Snapshot;
import nodepool.api.verdict.Verdict;
import org.slf4j.Logger;

/** The pool's current answer to each request it has looked at; tells whoever listens when one changes. Confined to the loop. */
final class VerdictBook {

    private final PoolMeans means;
    private final Logger log;
    private final Map<String, Verdict> verdicts = new HashMap<>();

    VerdictBook(PoolMeans means, Logger log) {
        this.means = means;
        this.log = log;
    }

    /** Takes an answer, and tells of it if it differs from the last one. */
    void note(NodeRequest request, Verdict verdict) {
        if (!verdict.equals(verdicts.put(request.id(), verdict))) {
            means.events().on(new Event.Judged(request.id(), means.slot().name(), means.poolName(), verdict));
            log.debug("Node request {}: {}", request.id(), verdict);
        }
    }

    void forgetGone(Snapshot snapshot) {
        verdicts.keySet().removeIf(id -> snapshot.request(id).isEmpty());
    }
}
