/**
 * Amounts of cloud resources: used, needed and allowed.
 * Start reading at {@link nodepool.api.quota.QuotaInformation}.
 */
@Export
@Version("1.0.0")
@NullMarked
package nodepool.api.quota;

import org.jspecify.annotations.NullMarked;
import org.osgi.annotation.bundle.Export;
import org.osgi.annotation.versioning.Version;
