package nodepool.api.driver;

import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/**
 * Outcome of one step of making or removing a machine. A machine's state is not an object that lives: {@code memo} is
 * everything the next step needs. It is stored, so any launcher, or a newer version of the driver, can go on from here.
 */
public sealed interface Step {

    /**
     * Not finished.
     *
     * @param memo for the next step
     * @param externalId as soon as something exists that must be removed if this fails
     * @param notBefore how long to wait before the next step
     */
    record Again(Map<String, String> memo, Optional<String> externalId, Duration notBefore) implements Step {
        public Again {
            memo = Map.copyOf(memo);
        }
    }

    /** The machine is there. */
    record Done(Instance instance) implements Step {}

    /** Nothing is left of the machine. */
    record Gone() implements Step {}
}
