/**
 * Hosts from a list. Every job slot of every configured host is a node record that is {@code ready} while it is free;
 * nothing is launched. Start reading at {@link nodepool.driver.staticnode.SlotKeeper}, which keeps the records in step with
 * the configuration, then at {@link nodepool.driver.staticnode.SlotTable}, which says what there is.
 */
@NullMarked
package nodepool.driver.staticnode;

import org.jspecify.annotations.NullMarked;
