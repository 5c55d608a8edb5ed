/**
 * The commands of the terminal tool and of the Gogo shell, written once.
 * Start reading at {@link nodepool.api.command.Command}.
 */
@Export
@Version("1.0.0")
@NullMarked
package nodepool.api.command;

import org.jspecify.annotations.NullMarked;
import org.osgi.annotation.bundle.Export;
import org.osgi.annotation.versioning.Version;
