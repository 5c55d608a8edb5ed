/**
 * The pages the original has: its lists, with its paths, keys and types, and {@code /ready}.
 * Start reading at {@link nodepool.webapp.lists.OriginalList}.
 */
@NullMarked
package nodepool.webapp.lists;

import org.jspecify.annotations.NullMarked;
