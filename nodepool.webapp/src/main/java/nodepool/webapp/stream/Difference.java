package nodepool.webapp.stream;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiPredicate;
import java.util.function.Function;
import nodepool.api.node.Node;
import nodepool.api.request.NodeRequest;
import nodepool.api.store.Snapshot;

/**
 * What differs between two snapshots. Pure.
 *
 * @param changed ids of records that are new or other than they were
 * @param removed ids of records that are gone
 */
record Difference(Set<String> changed, List<String> removed) {

    boolean isEmpty() {
        return changed.isEmpty() && removed.isEmpty();
    }

    /** Of nodes, whether they are locked included. */
    static Difference ofNodes(Snapshot before, Snapshot after) {
        return of(
                before.nodes(),
                after.nodes(),
                Node::id,
                before::node,
                after::node,
                (old, now) -> old.stored().transaction() == now.stored().transaction()
                        && before.isLocked(old.id()) == after.isLocked(now.id()));
    }

    /** Of requests. */
    static Difference ofRequests(Snapshot before, Snapshot after) {
        return of(
                before.requests(),
                after.requests(),
                NodeRequest::id,
                before::request,
                after::request,
                (old, now) -> old.stored().transaction() == now.stored().transaction());
    }

    private static <T> Difference of(
            Collection<T> before,
            Collection<T> after,
            Function<T, String> id,
            Function<String, Optional<T>> old,
            Function<String, Optional<T>> current,
            BiPredicate<T, T> same) {
        Set<String> changed = new HashSet<>();
        for (T now : after) {
            String key = id.apply(now);
            if (old.apply(key).filter(was -> same.test(was, now)).isEmpty()) {
                changed.add(key);
            }
        }
        List<String> removed = new ArrayList<>();
        for (T was : before) {
            if (current.apply(id.apply(was)).isEmpty()) {
                removed.add(id.apply(was));
            }
        }
        return new Difference(changed, removed);
    }
}
