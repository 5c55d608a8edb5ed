package nodepool.testkit.contract;

/** What can happen to one call to a cloud. */
public enum Break {
    /** Nothing. */
    NONE,
    /** The cloud fails before it does anything. */
    ERROR,
    /** The cloud does it, and the connection breaks before the answer is there. */
    LOST_ANSWER,
    /** The cloud neither does it nor answers, ever. */
    NO_ANSWER,
    /** The cloud refuses: no room. */
    QUOTA,
    /** The cloud refuses: asked too often. */
    RATE_LIMIT
}
