package nodepool.api.driver;

import java.util.Optional;
import nodepool.api.node.Node;
import org.osgi.annotation.versioning.ConsumerType;

/** How a pool launches one label. An immutable value. */
@ConsumerType
public interface LabelConfig {

    /** Name of the label. */
    String name();

    /** Name of the managed image it starts from; absent if it starts from one the cloud has. */
    Optional<String> diskImage();

    /** Name of the cloud's image it starts from, as configured; absent if it starts from a managed one. */
    Optional<String> cloudImage();

    /** Whether the machine's host keys are gathered before it is ready. */
    boolean hostKeyChecking();

    /** Whether the machine's console is fetched and logged when an attempt to launch it fails. */
    default boolean consoleLog() {
        return false;
    }

    /** How users log in to a machine made from this label's image, unless the machine itself says otherwise. */
    Node.Connection connection();
}
