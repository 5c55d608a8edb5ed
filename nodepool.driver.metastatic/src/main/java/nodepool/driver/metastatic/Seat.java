package nodepool.driver.metastatic;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import nodepool.api.driver.Instance;
import nodepool.api.driver.Launch;
import nodepool.api.node.Node;
import nodepool.api.quota.QuotaInformation;

/**
 * One slot given to one node.
 *
 * @param backing the backing node's record
 * @param slot number on it
 */
record Seat(Node backing, int slot) {

    /** What each node counts as, whatever its backing node counts as at its own provider. */
    static final QuotaInformation USES = QuotaInformation.needs(Map.of(QuotaInformation.INSTANCES, 1.0));

    /**
     * The backing node as the machine of the node that sits here. If the label asks for host keys, those of the backing node
     * are not passed on: they are to be gathered again.
     */
    Instance instance(Launch launch) {
        Node.Connection login =
                launch.label().hostKeyChecking() ? backing.connection().withHostKeys(List.of()) : backing.connection();
        String id = launch.node().id();
        return new Instance(
                id,
                Instance.Status.READY,
                launch.metadata(),
                backing.addresses(),
                backing.place(),
                Optional.of(login),
                Optional.of(USES),
                OptionalInt.of(slot),
                backing.machine().attributes(),
                new SlotNote(backing.id(), slot, id).json(launch.metadata()));
    }
}
