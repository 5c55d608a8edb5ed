/**
 * A ZooKeeper server inside the process, for trying things out and for tests, never for production. Start at {@link
 * nodepool.zk.embedded.EmbeddedZooKeeper}.
 */
@Export
@Version("1.0.0")
@NullMarked
package nodepool.zk.embedded;

import org.jspecify.annotations.NullMarked;
import org.osgi.annotation.bundle.Export;
import org.osgi.annotation.versioning.Version;
