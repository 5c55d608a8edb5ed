package nodepool.api.driver;

import nodepool.api.node.Node;
import org.osgi.annotation.versioning.ConsumerType;

/** What a provider may want to be told. Called on loops: must return at once. */
@ConsumerType
public interface ProviderNotifications {

    /** A node of this provider is gone, record and all. */
    default void nodeDeletedNotification(Node node) {}

    /** The machine of a node did not answer at its address; the attempt has failed and its machine goes. */
    default void nodescanFailedNotification(Node node) {}
}
