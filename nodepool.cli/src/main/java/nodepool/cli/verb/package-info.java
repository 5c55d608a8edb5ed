/**
 * What each command does, wherever it is called from. Start at {@link nodepool.cli.verb.Verb}; all of them are in
 * {@link nodepool.cli.verb.Verbs}.
 */
@NullMarked
package nodepool.cli.verb;

import org.jspecify.annotations.NullMarked;
