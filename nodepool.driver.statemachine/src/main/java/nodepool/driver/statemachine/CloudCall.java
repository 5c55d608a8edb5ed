package nodepool.driver.statemachine;

import nodepool.api.driver.CloudException;

/** One call to a cloud. May block, and ends early when its thread is interrupted. */
@FunctionalInterface
public interface CloudCall<T> {

    T call() throws CloudException;
}
