package nodepool.api.driver;

import nodepool.api.node.Node;
import org.osgi.annotation.versioning.ConsumerType;

/** What a request handler may want to be told. Called on loops: must return at once. */
@ConsumerType
public interface NodeRequestHandlerNotifications {

    /** A ready node was given to the handler's request. */
    default void nodeReusedNotification(Node node) {}
}
