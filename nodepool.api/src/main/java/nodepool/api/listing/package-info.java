/**
 * The lists operators look at: the same rows and columns wherever they are shown.
 * Start reading at {@link nodepool.api.listing.RecordList}.
 */
@Export
@Version("1.0.0")
@NullMarked
package nodepool.api.listing;

import org.jspecify.annotations.NullMarked;
import org.osgi.annotation.bundle.Export;
import org.osgi.annotation.versioning.Version;
