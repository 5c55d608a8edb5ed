/**
 * How a running process says how it is: numbers to scrape, and checks of its parts.
 * Start reading at {@link nodepool.api.monitor.HealthCheck}.
 */
@Export
@Version("1.0.0")
@NullMarked
package nodepool.api.monitor;

import org.jspecify.annotations.NullMarked;
import org.osgi.annotation.bundle.Export;
import org.osgi.annotation.versioning.Version;
