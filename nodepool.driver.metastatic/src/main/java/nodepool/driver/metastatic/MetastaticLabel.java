package nodepool.driver.metastatic;

import java.time.Duration;
import java.util.Optional;
import nodepool.api.driver.LabelConfig;
import nodepool.api.node.Node;

/**
 * A label made of slots.
 *
 * @param name of the label that requestors ask for
 * @param backing how its backing nodes are got, divided and given back
 * @param hostKeyChecking whether the keys of each slot are gathered anew
 */
record MetastaticLabel(String name, Backing backing, boolean hostKeyChecking) implements LabelConfig {

    /**
     * How backing nodes are got, divided and given back.
     *
     * @param label to request them with
     * @param slots on each
     * @param graceTime how long one is kept without use
     * @param minRetention how long one is kept at least
     * @param maxAge after which one gets no more nodes; absent: never
     */
    record Backing(String label, int slots, Duration graceTime, Duration minRetention, Optional<Duration> maxAge) {}

    @Override
    public Optional<String> diskImage() {
        return Optional.empty();
    }

    @Override
    public Optional<String> cloudImage() {
        return Optional.empty();
    }

    /** Only until the backing node is known, whose way to log in is taken over. */
    @Override
    public Node.Connection connection() {
        return Node.Connection.DEFAULT;
    }
}
