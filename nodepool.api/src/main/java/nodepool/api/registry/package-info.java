/**
 * Which processes are running, as they tell each other in ZooKeeper.
 * Start reading at {@link nodepool.api.registry.Registration}.
 */
@Export
@Version("1.0.0")
@NullMarked
package nodepool.api.registry;

import org.jspecify.annotations.NullMarked;
import org.osgi.annotation.bundle.Export;
import org.osgi.annotation.versioning.Version;
