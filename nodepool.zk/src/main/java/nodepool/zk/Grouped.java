package nodepool.zk;

import java.util.Collection;
import java.util.List;
import java.util.Optional;
import org.pcollections.TreePMap;

/**
 * Values under a key each, in groups. Immutable; a change shares all but a few entries with what it came from.
 *
 * @param groups values by group and key; no group is empty
 */
record Grouped<V>(TreePMap<String, TreePMap<String, V>> groups) {

    static <V> Grouped<V> empty() {
        return new Grouped<>(TreePMap.empty());
    }

    private Optional<TreePMap<String, V>> group(String name) {
        return Optional.ofNullable(groups.get(name));
    }

    /** The values of a group, in the order of their keys. */
    Collection<V> of(String name) {
        return group(name).<Collection<V>>map(TreePMap::values).orElse(List.of());
    }

    Grouped<V> with(String name, String key, V value) {
        TreePMap<String, V> before = group(name).orElse(TreePMap.empty());
        return new Grouped<>(groups.plus(name, before.plus(key, value)));
    }

    Grouped<V> without(String name, String key) {
        TreePMap<String, V> rest = group(name).orElse(TreePMap.empty()).minus(key);
        return new Grouped<>(rest.isEmpty() ? groups.minus(name) : groups.plus(name, rest));
    }
}
