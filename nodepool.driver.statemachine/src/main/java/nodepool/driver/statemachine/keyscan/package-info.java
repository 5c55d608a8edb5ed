/**
 * Waits until machines answer and gathers their SSH host keys, many at once on one thread. Start reading at
 * {@link nodepool.driver.statemachine.keyscan.KeyScanner}; what is said over a connection is in
 * {@link nodepool.driver.statemachine.keyscan.Handshake}.
 */
@NullMarked
package nodepool.driver.statemachine.keyscan;

import org.jspecify.annotations.NullMarked;
