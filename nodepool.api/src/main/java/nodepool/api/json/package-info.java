/**
 * JSON as plain immutable values, so that what others wrote survives digit for digit. Nothing here parses or does I/O.
 * Start reading at {@link nodepool.api.json.JsonValue}.
 */
@Export
@Version("1.0.0")
@NullMarked
package nodepool.api.json;

import org.jspecify.annotations.NullMarked;
import org.osgi.annotation.bundle.Export;
import org.osgi.annotation.versioning.Version;
