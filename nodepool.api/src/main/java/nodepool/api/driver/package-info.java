/**
 * The driver SPI, under the names of the developer's guide. A driver author starts at
 * {@link nodepool.api.driver.Driver}; authors of cloud drivers usually start one level higher, in nodepool.driver.statemachine.
 */
@Export
@Version("1.0.0")
@NullMarked
package nodepool.api.driver;

import org.jspecify.annotations.NullMarked;
import org.osgi.annotation.bundle.Export;
import org.osgi.annotation.versioning.Version;
