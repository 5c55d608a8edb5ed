/**
 * OpenStack, so far its configuration: what an operator may write is checked whole, but no provider is served yet. Start at
 * {@link nodepool.driver.openstack.OpenStackDriver}.
 */
@NullMarked
package nodepool.driver.openstack;

import org.jspecify.annotations.NullMarked;
