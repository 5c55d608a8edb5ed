/**
 * HTTP calls to the services of one cloud: logging in, finding the services, one deadline for each call, trying again, and
 * failures that say what happened. Nothing here blocks. Start at {@link nodepool.driver.openstack.http.OpenStackClient}.
 */
@NullMarked
package nodepool.driver.openstack.http;

import org.jspecify.annotations.NullMarked;
