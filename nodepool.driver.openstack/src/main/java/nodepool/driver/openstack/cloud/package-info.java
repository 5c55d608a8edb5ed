/**
 * What the driver asks of OpenStack's services, as typed calls that block, and the one table that says what their refusals
 * mean. Start at {@link nodepool.driver.openstack.cloud.Caller}, then {@link nodepool.driver.openstack.cloud.Compute}.
 */
@NullMarked
package nodepool.driver.openstack.cloud;

import org.jspecify.annotations.NullMarked;
