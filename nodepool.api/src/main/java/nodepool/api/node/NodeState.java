package nodepool.api.node;

import java.util.Optional;

/** Where a node stands. Who may make which change, and under which lock, is written in docs/wire.md. */
public enum NodeState {
    /** Recorded, not yet locked by its launcher. */
    INIT("init"),
    BUILDING("building"),
    /** Known to old readers; nobody writes it. */
    TESTING("testing"),
    READY("ready"),
    IN_USE("in-use"),
    USED("used"),
    /** Kept for a person to look at. Unlocked, and never reclaimed because of that. */
    HOLD("hold"),
    DELETING("deleting"),
    FAILED("failed"),
    /** Given up for lack of quota; not counted as a failure. */
    ABORTED("aborted"),
    /** The machine is gone, its record is about to go. */
    DELETED("deleted");

    private final String wireName;

    NodeState(String wireName) {
        this.wireName = wireName;
    }

    /** The word in the stored document. */
    public String wireName() {
        return wireName;
    }

    /**
     * Whether a node in this state that nobody has locked is garbage, because its user or builder is gone. For all others
     * only evidence other than the lock allows to reclaim it.
     */
    public boolean isGarbageWhenUnlocked() {
        return switch (this) {
            case USED, IN_USE, BUILDING, FAILED, DELETING, DELETED, ABORTED -> true;
            case INIT, TESTING, READY, HOLD -> false;
        };
    }

    /** The state of that word, absent for a word no process may write. */
    public static Optional<NodeState> of(String wireName) {
        for (NodeState state : values()) {
            if (state.wireName.equals(wireName)) {
                return Optional.of(state);
            }
        }
        return Optional.empty();
    }
}
