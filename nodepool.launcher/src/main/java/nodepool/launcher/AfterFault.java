package nodepool.launcher;

import nodepool.api.driver.CloudException.Fault;
import nodepool.api.store.NodeMemo;
import nodepool.api.store.NodeMemo.Phase;

/** What a launch does after a fault. */
enum AfterFault {
    /** The same step again after a pause: nothing was decided yet. */
    SAME_STEP,
    /** The cloud has no room: the node is given up without counting as a failure. */
    ABORT,
    /** What is left of this attempt is removed, then comes the next one. */
    CLEAN_UP,
    /** Nothing is left of this attempt: the next one. */
    NEXT_ATTEMPT,
    /** No other attempt. */
    FAIL;

    /**
     * After a step that failed.
     *
     * @param attempts how many there may be
     */
    static AfterFault ofStep(Fault fault, NodeMemo memo, int attempts) {
        if (memo.phase() == Phase.CLEAN_UP) {
            return fault == Fault.NOT_FOUND ? NEXT_ATTEMPT : SAME_STEP;
        }
        return switch (fault) {
            case RATE_LIMIT -> SAME_STEP;
            case QUOTA -> ABORT;
            case BAD_REQUEST, UNAUTHORIZED -> FAIL;
            case NOT_FOUND, CAPACITY, TRANSIENT, MACHINE_FAILED, NO_ADDRESS, KEY_SCAN, TIMEOUT, NO_IMAGE ->
                memo.attempt() >= attempts ? FAIL : CLEAN_UP;
        };
    }

    /**
     * After the time for an attempt, or for removing what is left of it, is over.
     *
     * @param attempts how many there may be
     */
    static AfterFault ofDelay(NodeMemo memo, int attempts) {
        return memo.phase() == Phase.CLEAN_UP ? FAIL : ofStep(Fault.TIMEOUT, memo, attempts);
    }
}
