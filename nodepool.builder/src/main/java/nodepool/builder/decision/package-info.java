/**
 * What a builder is to do: which images to build, which builds to upload, what to withdraw. Pure functions of the records and
 * the configuration; no clock, no I/O. Start reading at {@link nodepool.builder.decision.BuildDecision}.
 */
@NullMarked
package nodepool.builder.decision;

import org.jspecify.annotations.NullMarked;
