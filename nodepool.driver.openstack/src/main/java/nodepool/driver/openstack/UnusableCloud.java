package nodepool.driver.openstack;

import java.util.List;
import java.util.Optional;
import nodepool.api.driver.CloudException;
import nodepool.api.driver.CloudException.Fault;
import nodepool.api.driver.Instance;
import nodepool.api.driver.Launch;
import nodepool.driver.statemachine.Adapter;
import nodepool.driver.statemachine.StateMachine;

/**
 * Stands for a cloud that cannot be talked to as configured: its provider does not start, and says why.
 *
 * @param problem what to change
 */
record UnusableCloud(String problem) implements Adapter {

    private CloudException unusable() {
        return new CloudException(Fault.BAD_REQUEST, problem);
    }

    @Override
    public List<String> getAZs() throws CloudException {
        throw unusable();
    }

    @Override
    public StateMachine getCreateStateMachine(Launch launch, Optional<String> availabilityZone) {
        return memo -> {
            throw unusable();
        };
    }

    @Override
    public StateMachine getDeleteStateMachine(String externalId) {
        return memo -> {
            throw unusable();
        };
    }

    @Override
    public List<Instance> listInstances() throws CloudException {
        throw unusable();
    }
}
