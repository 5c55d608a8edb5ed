/**
 * The image command: how it is called, how it is ended, its log and its files. Blocks for files and processes, so never on a
 * loop. Start reading at {@link nodepool.builder.dib.ImageCommand}.
 */
@NullMarked
package nodepool.builder.dib;

import org.jspecify.annotations.NullMarked;
