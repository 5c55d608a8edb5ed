/** Our command lines as the completion scripts of shells. Start at {@link nodepool.cli.completion.CommandTable}. */
@NullMarked
package nodepool.cli.completion;

import org.jspecify.annotations.NullMarked;
