/**
 * What another configuration would change, told before it is in force.
 * Start reading at {@link nodepool.api.plan.ChangePlanner}.
 */
@Export
@Version("1.0.0")
@NullMarked
package nodepool.api.plan;

import org.jspecify.annotations.NullMarked;
import org.osgi.annotation.bundle.Export;
import org.osgi.annotation.versioning.Version;
