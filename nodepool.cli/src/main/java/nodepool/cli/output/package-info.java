/**
 * Lists on the terminal: which columns there are, which rows and columns are wanted, and the forms in which they can be
 * written. Start at {@link nodepool.cli.output.Listing}.
 */
@NullMarked
package nodepool.cli.output;

import org.jspecify.annotations.NullMarked;
