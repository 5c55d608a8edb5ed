/**
 * For client libraries that are not thread-safe: remote calls as tasks, run one after the other by one thread. Start at {@link
 * nodepool.driver.statemachine.taskmanager.TaskManager}.
 */
@Export
@Version("1.0.0")
@NullMarked
package nodepool.driver.statemachine.taskmanager;

import org.jspecify.annotations.NullMarked;
import org.osgi.annotation.bundle.Export;
import org.osgi.annotation.versioning.Version;
