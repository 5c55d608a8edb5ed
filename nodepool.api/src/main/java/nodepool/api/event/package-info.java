/**
 * What happened, as values for whoever wants to listen: metrics, the web interface, tests.
 * Start reading at {@link nodepool.api.event.Event}.
 */
@Export
@Version("1.0.0")
@NullMarked
package nodepool.api.event;

import org.jspecify.annotations.NullMarked;
import org.osgi.annotation.bundle.Export;
import org.osgi.annotation.versioning.Version;
