/**
 * Lets bundles come and go through a watched folder, and decides which of them may. Start reading at {@link
 * nodepool.deploy.BundleDeployer}.
 */
@NullMarked
package nodepool.deploy;

import org.jspecify.annotations.NullMarked;
