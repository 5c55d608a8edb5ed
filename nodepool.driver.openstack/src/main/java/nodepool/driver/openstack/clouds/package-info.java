/**
 * {@code clouds.yaml}: where it is found, what is merged into it, and what comes out for one cloud. No network in here. Start
 * at {@link nodepool.driver.openstack.clouds.CloudFiles} (the files) and
 * {@link nodepool.driver.openstack.clouds.CloudResolver} (from their content to one
 * {@link nodepool.driver.openstack.clouds.CloudSettings}).
 */
@NullMarked
package nodepool.driver.openstack.clouds;

import org.jspecify.annotations.NullMarked;
