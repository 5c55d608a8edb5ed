/**
 * Reads {@code nodepool.yaml}, the secure file and the environment into one immutable value, reports every mistake in one
 * run, and follows changes of the files. Start at {@link nodepool.config.YamlConfigurationReader}.
 */
@NullMarked
package nodepool.config;

import org.jspecify.annotations.NullMarked;
