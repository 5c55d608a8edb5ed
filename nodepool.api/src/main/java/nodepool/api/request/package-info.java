/**
 * What a client asks for: a set of machines that must be handed over together. Immutable values, no I/O.
 * Start reading at {@link nodepool.api.request.NodeRequest}.
 */
@Export
@Version("1.0.0")
@NullMarked
package nodepool.api.request;

import org.jspecify.annotations.NullMarked;
import org.osgi.annotation.bundle.Export;
import org.osgi.annotation.versioning.Version;
