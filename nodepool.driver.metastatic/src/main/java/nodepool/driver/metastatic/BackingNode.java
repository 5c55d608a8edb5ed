package nodepool.driver.metastatic;

import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * One backing node and who sits on it. An immutable value.
 *
 * @param id of its record
 * @param use as noted in its record
 * @param occupied the node in each slot that is in use: those noted, and those whose own records name the slot
 */
record BackingNode(String id, BackingUse use, SortedMap<Integer, String> occupied) {

    BackingNode {
        occupied = Collections.unmodifiableSortedMap(new TreeMap<>(occupied));
    }

    boolean isEmpty() {
        return occupied.isEmpty();
    }

    /** How many more nodes it takes; none if it has failed or is too old. */
    int free(Optional<Duration> maxAge, Instant now) {
        boolean open = !use.failed() && !isTooOld(maxAge, now);
        return open ? Math.max(0, use.slots() - occupied.headMap(use.slots()).size()) : 0;
    }

    /** Whether it is older than that. */
    boolean isTooOld(Optional<Duration> maxAge, Instant now) {
        return maxAge.isPresent() && Duration.between(use.launched(), now).compareTo(maxAge.get()) > 0;
    }

    /** The slot that node has. */
    OptionalInt slotOf(String nodeId) {
        for (var entry : occupied.entrySet()) {
            if (entry.getValue().equals(nodeId)) {
                return OptionalInt.of(entry.getKey());
            }
        }
        return OptionalInt.empty();
    }

    /** What is to be noted when that node has a slot: the one it has, or the lowest free one. Absent if there is none. */
    Optional<BackingUse> seat(String nodeId, Optional<Duration> maxAge, Instant now) {
        if (slotOf(nodeId).isPresent() && !use.failed()) {
            return Optional.of(use);
        }
        if (free(maxAge, now) == 0) {
            return Optional.empty();
        }
        int slot = 0;
        while (occupied.containsKey(slot)) {
            slot++;
        }
        SortedMap<Integer, String> taken = new TreeMap<>(occupied);
        taken.put(slot, nodeId);
        return Optional.of(use.withTaken(taken));
    }
}
