/**
 * Starts an assembly: a small program around the OSGi framework that knows nothing of Nodepool itself.
 * Start reading at {@link nodepool.dist.Main}.
 */
@NullMarked
package nodepool.dist;

import org.jspecify.annotations.NullMarked;
