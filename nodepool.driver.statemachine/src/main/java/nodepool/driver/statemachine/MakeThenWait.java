package nodepool.driver.statemachine;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import nodepool.api.driver.CloudException;
import nodepool.api.driver.CloudException.Fault;
import nodepool.api.driver.Instance;
import nodepool.api.driver.Step;

/**
 * Makes a machine in the usual way: the first step finds what an interrupted step before it has made, or makes it; the others
 * look until the machine can be used.
 */
public final class MakeThenWait implements StateMachine {

    /** The calls to the cloud for one node. */
    public interface Calls {

        /** The id of the machine that carries this node's id, by an answer no older than this call. */
        Optional<String> find() throws CloudException;

        /** Makes the machine, with the launch's metadata, and tells its id. */
        String make() throws CloudException;

        /**
         * The machine; absent if the cloud does not show it (yet).
         *
         * @throws CloudException with {@link Fault#MACHINE_FAILED} if nothing will come of it
         */
        Optional<Instance> look(String id) throws CloudException;
    }

    private static final String ID = "id";
    private static final String SINCE = "since";
    private static final String MISSED = "missed";

    /** A listing may be older than the machine. */
    private static final int MISSES = 10;

    private final Calls calls;
    private final Duration pause;
    private final Duration within;
    private final Clock clock;

    /**
     * @param pause between two looks
     * @param within for the machine to become ready, from when it was made; the launch's own limit holds beside it
     */
    public MakeThenWait(Calls calls, Duration pause, Duration within, Clock clock) {
        this.calls = calls;
        this.pause = pause;
        this.within = within;
        this.clock = clock;
    }

    @Override
    public Step advance(Map<String, String> memo) throws CloudException {
        Optional<String> id = Optional.ofNullable(memo.get(ID));
        return id.isPresent() ? look(id.get(), memo) : findOrMake();
    }

    private Step findOrMake() throws CloudException {
        Optional<String> before = calls.find();
        String id = before.isPresent() ? before.get() : calls.make();
        return again(Map.of(ID, id, SINCE, clock.instant().toString()));
    }

    private Step look(String id, Map<String, String> memo) throws CloudException {
        Optional<Instance> seen = calls.look(id);
        if (seen.isEmpty()) {
            return missed(id, memo);
        }
        return switch (seen.get().status()) {
            case READY -> new Step.Done(seen.get());
            case DELETED -> throw new CloudException(Fault.MACHINE_FAILED, "machine " + id + " was deleted");
            case PENDING -> pending(id, memo);
        };
    }

    private Step pending(String id, Map<String, String> memo) throws CloudException {
        Instant since = Instant.parse(memo.getOrDefault(SINCE, clock.instant().toString()));
        if (Duration.between(since, clock.instant()).compareTo(within) > 0) {
            throw new CloudException(
                    Fault.MACHINE_FAILED, "machine %s was not ready in %d s".formatted(id, within.toSeconds()));
        }
        return again(memo);
    }

    private Step missed(String id, Map<String, String> memo) throws CloudException {
        int misses = Integer.parseInt(memo.getOrDefault(MISSED, "0")) + 1;
        if (misses > MISSES) {
            throw new CloudException(Fault.MACHINE_FAILED, "machine " + id + " is gone");
        }
        Map<String, String> next = new HashMap<>(memo);
        next.put(MISSED, Integer.toString(misses));
        return again(next);
    }

    private Step again(Map<String, String> memo) {
        return new Step.Again(memo, Optional.ofNullable(memo.get(ID)), pause);
    }
}
