/**
 * The shared state: consistent snapshots to decide from, and the operations that change it under locks.
 * Start reading at {@link nodepool.api.store.SnapshotSource}, then {@link nodepool.api.store.RequestStore}.
 */
@Export
@Version("1.0.0")
@NullMarked
package nodepool.api.store;

import org.jspecify.annotations.NullMarked;
import org.osgi.annotation.bundle.Export;
import org.osgi.annotation.versioning.Version;
