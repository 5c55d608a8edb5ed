package nodepool.api.store;

import java.time.Instant;
import java.util.Map;
import java.util.Optional;

/**
 * What a launcher must remember of a machine it is making or removing, so that any launcher, or a newer version of the
 * driver, can go on from here. Lies in a tree of our own beside the node's record and goes with it.
 *
 * @param phase what is being done
 * @param attempt number of the launch attempt, from 1
 * @param since when this phase of this attempt began
 * @param externalId of the machine this phase is about, as soon as it is known
 * @param steps what the driver's next step needs; belongs to the driver
 */
public record NodeMemo(
        Phase phase, int attempt, Instant since, Optional<String> externalId, Map<String, String> steps) {

    /** What is being done with the machine. */
    public enum Phase {
        /** It is being made. */
        CREATE,
        /** A failed attempt is being removed before the next one. */
        CLEAN_UP,
        /** It is being removed for good. */
        DELETE
    }

    public NodeMemo {
        steps = Map.copyOf(steps);
    }

    /** The memory after one more step. */
    public NodeMemo after(Map<String, String> next, Optional<String> id) {
        return new NodeMemo(phase, attempt, since, id, next);
    }
}
