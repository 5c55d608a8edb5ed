/**
 * A machine as all processes see it. Immutable values, no I/O.
 * Start reading at {@link nodepool.api.node.Node}.
 */
@Export
@Version("1.0.0")
@NullMarked
package nodepool.api.node;

import org.jspecify.annotations.NullMarked;
import org.osgi.annotation.bundle.Export;
import org.osgi.annotation.versioning.Version;
