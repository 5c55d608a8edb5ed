/**
 * For clouds where one call makes and one call removes a machine: start at {@link
 * nodepool.driver.statemachine.simple.SimpleTaskManagerDriver}. A thin layer over the state machines, which give it retries,
 * key scans, quota and leak detection.
 */
@Export
@Version("1.0.0")
@NullMarked
package nodepool.driver.statemachine.simple;

import org.jspecify.annotations.NullMarked;
import org.osgi.annotation.bundle.Export;
import org.osgi.annotation.versioning.Version;
