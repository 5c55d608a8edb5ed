package nodepool.driver.metastatic;

import java.time.Instant;
import java.util.Collections;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import nodepool.api.json.JsonValue;
import nodepool.api.node.Node;

/**
 * What we note in the record of a backing node. {@code lastUsed} and {@code taken} are additions to what other launchers
 * write and read.
 *
 * @param owner provider it belongs to, as {@link MetastaticConfig#owner()}
 * @param label whose slots are on it
 * @param slots how many, from 0
 * @param failed whether it gets no more nodes
 * @param launched when it was made
 * @param lastUsed when a slot was given back last
 * @param taken the node id in each slot that was given out
 */
record BackingUse(
        String owner,
        String label,
        int slots,
        boolean failed,
        Instant launched,
        Optional<Instant> lastUsed,
        SortedMap<Integer, String> taken) {

    BackingUse {
        taken = Collections.unmodifiableSortedMap(new TreeMap<>(taken));
    }

    /** A fresh one, all slots free. */
    static BackingUse fresh(String owner, MetastaticLabel label, Instant launched) {
        return new BackingUse(
                owner, label.name(), label.backing().slots(), false, launched, Optional.empty(), new TreeMap<>());
    }

    /** What is noted in that node's record, if it belongs to that owner. */
    static Optional<BackingUse> of(Node node, String owner) {
        return node.use()
                .userData()
                .asText()
                .flatMap(UserDataText::read)
                .filter(use -> use.owner().equals(owner));
    }

    /** The node with this noted in it. */
    Node on(Node node) {
        Node.Use before = node.use();
        return node.withUse(new Node.Use(
                before.comment(), JsonValue.of(UserDataText.write(this)), before.holdJob(), before.holdExpiration()));
    }

    BackingUse withFailed() {
        return new BackingUse(owner, label, slots, true, launched, lastUsed, taken);
    }

    BackingUse withTaken(SortedMap<Integer, String> nodes) {
        return new BackingUse(owner, label, slots, failed, launched, lastUsed, nodes);
    }

    /** Without that node; used until {@code now}. */
    BackingUse without(String nodeId, Instant now) {
        SortedMap<Integer, String> rest = new TreeMap<>(taken);
        rest.values().removeIf(nodeId::equals);
        return new BackingUse(owner, label, slots, failed, launched, Optional.of(now), rest);
    }
}
