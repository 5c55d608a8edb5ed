package nodepool.api.request;

import java.util.Optional;

/** Where a request stands. {@link #FULFILLED} and {@link #FAILED} are final: only the requestor acts on them. */
public enum RequestState {
    /** Waits for a pool. */
    REQUESTED("requested"),
    /** Accepted by one pool, which holds its lock. */
    PENDING("pending"),
    /** All nodes are ready and allocated. */
    FULFILLED("fulfilled"),
    /** Every registered pool declined. */
    FAILED("failed");

    private final String wireName;

    RequestState(String wireName) {
        this.wireName = wireName;
    }

    /** The word in the stored document. */
    public String wireName() {
        return wireName;
    }

    /** Whether no launcher may change the request any more. */
    public boolean isFinal() {
        return this == FULFILLED || this == FAILED;
    }

    /** The state of that word, absent for a word no process may write. */
    public static Optional<RequestState> of(String wireName) {
        for (RequestState state : values()) {
            if (state.wireName.equals(wireName)) {
                return Optional.of(state);
            }
        }
        return Optional.empty();
    }
}
