/**
 * The configuration as one immutable value, and the schema language in which drivers describe their part of it.
 * Start reading at {@link nodepool.api.config.Configuration}; driver authors at {@link nodepool.api.config.Schema}.
 */
@Export
@Version("1.0.0")
@NullMarked
package nodepool.api.config;

import org.jspecify.annotations.NullMarked;
import org.osgi.annotation.bundle.Export;
import org.osgi.annotation.versioning.Version;
