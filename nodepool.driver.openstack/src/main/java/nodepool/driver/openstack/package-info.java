/**
 * OpenStack behind the driver interface: configuration, the two state machines, choices of flavor, image and address, leaks,
 * uploads. Start at {@link nodepool.driver.openstack.OpenStackDriver}; the calls are in package {@code cloud}.
 */
@NullMarked
package nodepool.driver.openstack;

import org.jspecify.annotations.NullMarked;
