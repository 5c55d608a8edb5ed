/**
 * Disk images: their builds, and their uploads to providers. Immutable values, no I/O.
 * Start reading at {@link nodepool.api.image.ImageUpload}.
 */
@Export
@Version("1.0.0")
@NullMarked
package nodepool.api.image;

import org.jspecify.annotations.NullMarked;
import org.osgi.annotation.bundle.Export;
import org.osgi.annotation.versioning.Version;
