/**
 * Looks into a running process for an operator: commands of the shell, and checks of the parts.
 * Start reading at {@link nodepool.support.SupportBundle}.
 */
@NullMarked
package nodepool.support;

import org.jspecify.annotations.NullMarked;
