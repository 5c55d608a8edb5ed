package nodepool.driver.statemachine;

import java.util.Map;
import nodepool.api.driver.CloudException;
import nodepool.api.driver.Step;
import org.osgi.annotation.versioning.ConsumerType;

/**
 * Making or removing one machine: a step and a stored memory, not an object that lives. Each step may be repeated after a
 * crash and must then find, not repeat, what it did before.
 */
@ConsumerType
@FunctionalInterface
public interface StateMachine {

    /**
     * Does one bounded step. May block for a single call to the cloud.
     *
     * @param memo what the last step returned; empty at first
     */
    Step advance(Map<String, String> memo) throws CloudException;
}
