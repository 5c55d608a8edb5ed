/**
 * The commands, written once: served in the terminal by {@link nodepool.cli.Main} and in the Gogo shell by {@link
 * nodepool.cli.GogoBridge}. What they do is in {@link nodepool.cli.verb}.
 */
@NullMarked
package nodepool.cli;

import org.jspecify.annotations.NullMarked;
