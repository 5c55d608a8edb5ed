/**
 * The commands, written once: served in the terminal by {@link nodepool.cli.Main} and in the Gogo shell by {@link
 * nodepool.cli.GogoBridge}. Start at {@link nodepool.cli.Commands}.
 */
@NullMarked
package nodepool.cli;

import org.jspecify.annotations.NullMarked;
