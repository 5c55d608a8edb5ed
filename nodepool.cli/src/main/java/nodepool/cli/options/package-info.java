/**
 * Words of a command line to options and arguments, by the rules and with the messages of Python's {@code argparse}, which
 * operators' scripts know. Start at {@link nodepool.cli.options.Syntax}.
 */
@NullMarked
package nodepool.cli.options;

import org.jspecify.annotations.NullMarked;
