/**
 * The builder daemon as far as it goes in this version: it has an identity and registers, but builds and uploads nothing.
 * Start reading at {@link nodepool.builder.Builder}.
 */
@NullMarked
package nodepool.builder;

import org.jspecify.annotations.NullMarked;
