/**
 * The builder daemon: builds images, uploads them, withdraws what is old. Each worker has a loop that only decides; what
 * blocks has a thread of its own for as long as it takes. Start reading at {@link nodepool.builder.Builder}, then {@link
 * nodepool.builder.BuildWorker}.
 */
@NullMarked
package nodepool.builder;

import org.jspecify.annotations.NullMarked;
