package nodepool.driver.statemachine;

import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import nodepool.api.driver.CloudException;
import nodepool.api.driver.CloudException.Fault;
import nodepool.api.driver.Step;

/** Removes a machine in the usual way: the first step asks for it, the others look until the machine is gone. */
public final class RemoveThenWait implements StateMachine {

    /** The calls to the cloud for one machine. */
    public interface Calls {

        /** Asks the cloud to remove it; {@link Fault#NOT_FOUND} if there is none. Asking again does no harm. */
        void remove() throws CloudException;

        /** Whether it is there still, by an answer no older than this call. */
        boolean isThere() throws CloudException;
    }

    private static final Map<String, String> ASKED = Map.of("asked", "yes");

    private final Calls calls;
    private final Duration pause;

    /** @param pause between two looks */
    public RemoveThenWait(Calls calls, Duration pause) {
        this.calls = calls;
        this.pause = pause;
    }

    @Override
    public Step advance(Map<String, String> memo) throws CloudException {
        try {
            if (!memo.equals(ASKED)) {
                calls.remove();
            } else if (!calls.isThere()) {
                return new Step.Gone();
            }
            return new Step.Again(ASKED, Optional.empty(), pause);
        } catch (CloudException e) {
            if (e.fault() == Fault.NOT_FOUND) {
                return new Step.Gone();
            }
            throw e;
        }
    }
}
