/**
 * What cloud drivers share. An author writes an {@link nodepool.driver.statemachine.Adapter}: cloud calls and nothing else;
 * {@link nodepool.driver.statemachine.StateMachineProvider} makes a provider of it.
 */
@Export
@Version("1.0.0")
@NullMarked
package nodepool.driver.statemachine;

import org.jspecify.annotations.NullMarked;
import org.osgi.annotation.bundle.Export;
import org.osgi.annotation.versioning.Version;
